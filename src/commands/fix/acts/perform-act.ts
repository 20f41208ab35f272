import type { CliAgent } from '../../../agents/agent.ts'
import type { Checkpoints } from '../../attempt/checkpoints/checkpoints.ts'
import { configureTests, needsTasker } from './configure-tests.ts'
import { implement } from './implement.ts'
import { runTestsAct } from './run-tests.ts'
import { needsSummarizer, summarize } from './summarize.ts'
import { needsPromptWriter, writePrompt } from './write-prompt.ts'
import type { ActContext, FixTools } from '../loop/fix-context.ts'
import type { FinishedAct, RollBackReason } from '../session/history.ts'
import type { Action } from '../loop/next-action.ts'
import { progressOf, type Progress } from '../session/progress.ts'
import type { SessionKeeper } from '../loop/session-keeper.ts'
import type { SessionStore } from '../session/session-store.ts'
import { undoneName, undoTo } from '../../attempt/attempt.ts'
import { newFailures, writtenWhileJudged } from '../session/judge-runs.ts'

/** What a loop over acts works with. */
export interface Loop {
  readonly keeper: SessionKeeper
  readonly checkpoints: Checkpoints
  readonly tools: FixTools
  readonly store: SessionStore
  /** @throws MdtestError where there is none */
  readonly agent: () => CliAgent
}

type PlainAction = Exclude<Action, { kind: 'stop' }>

/** Notes that an act has begun, and does it. Where an agent is asked, the files are kept before, and put back unless it is the implementer. */
export async function performAct(action: PlainAction, loop: Loop): Promise<FinishedAct> {
  const { keeper, checkpoints, tools } = loop
  const context = contextOf(loop)
  if (!callsAgent(action, context)) {
    keeper.begin(action.kind, null)
    return await doAct(action, contextOf(loop), '')
  }
  context.agent() // Before anything is noted: without one nothing is begun.
  const checkpoint =
    action.kind === 'implement' ? `attempt-${context.progress.attempts + 1}` : `act-${keeper.state.history.length + 1}`
  tools.onPoint('first checkpoint: before')
  await checkpoints.take(checkpoint)
  tools.onPoint('first checkpoint: after')
  keeper.begin(action.kind, checkpoint)
  const act = await doAct(action, contextOf(loop), checkpoint)
  tools.signal.throwIfAborted()
  // The other roles have nothing to change.
  if (action.kind !== 'implement') {
    tools.onPoint('restore: before')
    await undoTo(checkpoint, { checkpoints, undone: undoneName(tools.now()) })
    tools.onPoint('restore: after')
  }
  return act
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
      context.keepAgentSession(null)
      return { kind: 'session-started', reason: action.reason }
    default:
      return action satisfies never
  }
}

function contextOf({ keeper, checkpoints, tools, store, agent }: Loop): ActContext {
  const { state } = keeper
  return {
    ...tools,
    store,
    checkpoints,
    state,
    progress: progressOf(state.history),
    agent,
    current: keeper.current,
    spend: keeper.spend,
    keepAgentSession: keeper.keepAgentSession,
    addSummary: keeper.addSummary,
  }
}

/** Undoes the open attempt. What it did is kept under a name of its own. */
async function rollBack(reason: RollBackReason, context: ActContext): Promise<FinishedAct> {
  const { progress, checkpoints, onPoint, now } = context
  const attempt = progress.openAttempt
  if (attempt !== undefined) {
    onPoint('restore: before')
    await checkpoints.restore(attempt.checkpoint, undoneName(now()))
    onPoint('restore: after')
  }
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
