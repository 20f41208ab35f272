import { resolveAgent } from '../agents/resolve-agent.ts'
import type { CliAgent } from '../agents/agent.ts'
import { openCheckpoints, type Checkpoints } from '../checkpoint/checkpoints.ts'
import { endEarlierRun } from '../exec/end-earlier-run.ts'
import { configureTests, needsTasker } from './acts/configure-tests.ts'
import { implement } from './acts/implement.ts'
import { rollBack } from './acts/roll-back.ts'
import { runTestsAct } from './acts/run-tests.ts'
import { needsSummarizer, summarize } from './acts/summarize.ts'
import { needsPromptWriter, writePrompt } from './acts/write-prompt.ts'
import { describeAct, describeAction } from './describe-act.ts'
import type { ActContext, FixTools } from './fix-context.ts'
import type { FinishedAct } from './history.ts'
import { nextAction, type Action } from './next-action.ts'
import { progressOf } from './progress.ts'
import { createSessionKeeper, type SessionKeeper } from './session-keeper.ts'
import type { SessionState } from './session-state.ts'
import { openSessionStore } from './session-store.ts'
import { undoneName } from './undone-name.ts'

export interface FixEnd {
  readonly state: SessionState
  readonly checkpoints: Checkpoints
  /** A signal came: the act that was begun is undone when the session goes on. */
  readonly isInterrupted: boolean
}

type PlainAction = Exclude<Action, { kind: 'stop' }>

/**
 * Works on a session, new or not, until it ends: takes the next action, notes that it has begun, does it, notes that it
 * is done.
 *
 * @param folder absolute path of the session's folder
 */
export async function runFix(initial: SessionState, folder: string, given: FixTools): Promise<FixEnd> {
  const { env, now, runMark, say, signal } = given
  const store = await openSessionStore(folder, given.onPoint)
  const refPrefix = `refs/mdtest/${initial.session_id}`
  const { root } = initial.settings
  const checkpoints = await openCheckpoints({ root, folder: `${folder}/checkpoints`, refPrefix, env })
  // What the mdtest before us started may not have ended yet, if it was killed.
  if (initial.run_mark !== runMark) await endEarlierRun(initial.run_mark)
  const keeper = createSessionKeeper({ ...initial, run_mark: runMark }, { store, now })
  const onPoint = (name: string): void => given.onPoint(`${keeper.state.history.length} ${name}`)
  const tools = { ...given, onPoint }
  const loop: Loop = { keeper, checkpoints, tools, store, agent: createAgentFinder(initial, tools) }
  keeper.open()
  try {
    await undoBegunAct(loop)
    for (;;) {
      signal.throwIfAborted()
      const action = nextAction(fixStateOf(keeper.state))
      if (action.kind === 'stop') {
        keeper.end(action.result, action.reason)
        await store.addEvent(
          { agent: 'orchestrator', action: `stop ${action.result}`, cost_usd: null, message: action.reason },
          now(),
        )
        return { state: keeper.state, checkpoints, isInterrupted: false }
      }
      say(describeAction(action))
      const act = await perform(action, loop)
      keeper.finish(act)
      await store.addEvent(
        { agent: 'orchestrator', action: act.kind, cost_usd: null, message: describeAct(act) },
        now(),
      )
      say(`  ${describeAct(act)}`)
    }
  } catch (error: unknown) {
    if (!signal.aborted) throw error
    return { state: keeper.state, checkpoints, isInterrupted: true }
  }
}

interface Loop {
  readonly keeper: SessionKeeper
  readonly checkpoints: Checkpoints
  readonly tools: FixTools
  readonly store: ActContext['store']
  readonly agent: () => CliAgent
}

function fixStateOf({
  history,
  settings,
  elapsed_ms: elapsedMs,
  cost_usd: costUsd,
}: SessionState): Parameters<typeof nextAction>[0] {
  const { max_attempts: maxAttempts, max_minutes: maxMinutes, max_cost_usd: maxCostUsd } = settings
  const limits = { maxAttempts, ...(maxMinutes !== null && { maxMinutes }), ...(maxCostUsd !== null && { maxCostUsd }) }
  return { history, limits, elapsedMs, costUsd }
}

/** An act without its record may have done anything in part. */
async function undoBegunAct({ keeper, checkpoints, tools }: Loop): Promise<void> {
  const { act } = keeper.state
  if (act?.checkpoint == null) return
  tools.say(`undoes what was begun and not finished: ${act.kind}`)
  tools.onPoint('undo: before')
  await checkpoints.restore(act.checkpoint, undoneName(tools.now()))
  tools.onPoint('undo: after')
  // It would go on from what it remembers, which is not there any more.
  keeper.keepAgentSession(null)
}

async function perform(action: PlainAction, loop: Loop): Promise<FinishedAct> {
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
    await checkpoints.restore(checkpoint, undoneName(tools.now()))
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
    spend: keeper.spend,
    keepAgentSession: keeper.keepAgentSession,
    addSummary: keeper.addSummary,
  }
}

/** @throws MdtestError `AGENT_NOT_FOUND`, when called */
function createAgentFinder({ settings }: SessionState, { env }: FixTools): () => CliAgent {
  let found: CliAgent | undefined
  return () => {
    if (found !== undefined) return found
    const resolved = resolveAgent(settings.agent, { path: env.PATH ?? '', cwd: settings.root })
    if (!resolved.ok) throw resolved.error
    return (found = resolved.agent)
  }
}
