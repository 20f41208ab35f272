import { undoneName, undoTo } from '../../attempt/attempt.ts'
import type { ActContext, Loop } from '../loop/fix-context.ts'
import type { Action } from '../loop/next-action.ts'
import type { FinishedAct, RollBackReason } from '../session/attempts.ts'
import { newFailures, progressOf, writtenWhileJudged, type Progress } from '../session/progress.ts'
import { configureTests, needsTasker } from './configure-tests.ts'
import { implement } from './implement.ts'
import { runTestsAct } from './run-tests.ts'
import { needsSummarizer, summarize } from './summarize.ts'
import { needsPromptWriter, writePrompt } from './write-prompt.ts'

type PlainAction = Exclude<Action, { kind: 'stop' }>

/** Notes that an act has begun, and does it. Where an agent is asked, the files are kept before, and put back unless it is the implementer. */
export async function performAct(action: PlainAction, loop: Loop): Promise<FinishedAct> {
  const { keeper, checkpoints, signal, now } = loop
  const context = contextOf(loop)
  if (!callsAgent(action, context)) {
    keeper.begin(action.kind, null)
    return await doAct(action, contextOf(loop), '')
  }
  context.agent() // Before anything is noted: without one nothing is begun.
  const checkpoint =
    action.kind === 'implement' ? `attempt-${context.progress.attempts + 1}` : `act-${keeper.state.history.length + 1}`
  await checkpoints.take(checkpoint)
  keeper.begin(action.kind, checkpoint)
  const act = await doAct(action, contextOf(loop), checkpoint)
  signal.throwIfAborted()
  // The other roles have nothing to change.
  if (action.kind !== 'implement') await undoTo(checkpoint, { checkpoints, undone: undoneName(now()) })
  return act
}

function contextOf(loop: Loop): ActContext {
  const { state } = loop.keeper
  return { ...loop, state, progress: progressOf(state.history) }
}

function callsAgent(action: PlainAction, context: ActContext): boolean {
  switch (action.kind) {
    case 'implement':
      return true
    case 'configure-tests':
      return needsTasker(context)
    case 'write-prompt':
      return needsPromptWriter(context)
    case 'summarize':
      return needsSummarizer(action.reason, context)
    default:
      return false
  }
}

async function doAct(action: PlainAction, context: ActContext, checkpoint: string): Promise<FinishedAct> {
  switch (action.kind) {
    case 'configure-tests':
      return await configureTests(context)
    case 'run-tests':
      return await runTestsAct(action.purpose, context)
    case 'write-prompt':
      return await writePrompt(context)
    case 'implement':
      return await implement(checkpoint, context)
    case 'roll-back':
      return await rollBack(action.reason, context)
    case 'summarize':
      return await summarize(action.reason, context)
    case 'start-session':
      context.keeper.keepAgentSession(null)
      return { kind: 'session-started', reason: action.reason }
    default:
      return action satisfies never
  }
}

/** Undoes the open attempt. What it did is kept under a name of its own. */
async function rollBack(reason: RollBackReason, { progress, checkpoints, now }: ActContext): Promise<FinishedAct> {
  const { openAttempt } = progress
  if (openAttempt !== undefined) await checkpoints.restore(openAttempt.checkpoint, undoneName(now()))
  return { kind: 'rolled-back', reason, names: [...namesOf(reason, progress)] }
}

function namesOf(reason: RollBackReason, progress: Progress): readonly string[] {
  switch (reason) {
    case 'protected-files':
      return [...(progress.openAttempt?.protectedChanges ?? []), ...writtenWhileJudged(progress)]
    case 'made-worse':
      return newFailures(progress)
    case 'tests-lost':
      return progress.runs.at(-1)?.lost ?? []
    default:
      return reason satisfies never
  }
}
