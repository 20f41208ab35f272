import { resolveAgent } from '../../../agents/resolve-agent.ts'
import type { CliAgent } from '../../../agents/agent.ts'
import { openCheckpoints, type Checkpoints } from '../../attempt/checkpoints/checkpoints.ts'
import { endEarlierRun } from '../../../system/process/launcher/run-folder.ts'
import { MdtestError } from '../../../system/mdtest-error.ts'
import type { FixTools } from './fix-context.ts'
import { fixStateOf, nextAction, type Action } from './next-action.ts'
import { performAct, type Loop } from '../acts/perform-act.ts'
import { createSessionKeeper } from './session-keeper.ts'
import type { SessionState } from '../session/session-state.ts'
import { openSessionStore, type SessionStore } from '../session/session-store.ts'
import { undoneName, undoTo } from '../../attempt/attempt.ts'
import { join } from 'node:path'
import { readCall } from '../../../agents/read-session.ts'
import { readFolderIfAny } from '../../../system/files/list-files.ts'
import type { FinishedAct } from '../session/history.ts'

export interface FixEnd {
  readonly state: SessionState
  readonly checkpoints: Checkpoints
  readonly store: SessionStore
  /** A signal came: the act that was begun is undone when the session goes on. */
  readonly isInterrupted: boolean
}

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
        return { state: keeper.state, checkpoints, store, isInterrupted: false }
      }
      say(describeAction(action))
      const act = await performAct(action, loop)
      keeper.finish(act)
      await store.addEvent(
        { agent: 'orchestrator', action: act.kind, cost_usd: null, message: describeAct(act) },
        now(),
      )
      say(`  ${describeAct(act)}`)
    }
  } catch (error: unknown) {
    if (signal.aborted) return { state: keeper.state, checkpoints, store, isInterrupted: true }
    if (!(error instanceof MdtestError)) throw error
    keeper.fail(error.message)
    say(`mdtest: ${error.message}`)
    await store.addEvent({ agent: 'orchestrator', action: 'stop error', cost_usd: null, message: error.message }, now())
    return { state: keeper.state, checkpoints, store, isInterrupted: false }
  }
}

/** An act without its record may have done anything in part. */
async function undoBegunAct(loop: Loop): Promise<void> {
  const { keeper, checkpoints, tools } = loop
  const { act } = keeper.state
  if (act?.checkpoint == null) return
  recoverCalls(loop)
  tools.say(`undoes what was begun and not finished: ${act.kind}`)
  tools.onPoint('undo: before')
  await undoTo(act.checkpoint, { checkpoints, undone: undoneName(tools.now()) })
  tools.onPoint('undo: after')
  // It would go on from what it remembers, which is not there any more.
  keeper.keepAgentSession(null)
}

/** @throws MdtestError `AGENT_NOT_FOUND`, `OPTION_INVALID`, when called */
function createAgentFinder({ settings }: SessionState, { env }: FixTools): () => CliAgent {
  let found: CliAgent | undefined
  return () => {
    if (found !== undefined) return found
    const resolved = resolveAgent(settings.agent, { path: env.PATH ?? '', cwd: settings.root })
    if (!resolved.ok) throw resolved.error
    const { agent } = resolved
    if (settings.maxCostUsd !== null && agent.tellsCost !== true) {
      throw new MdtestError('OPTION_INVALID', `The agent \`${agent.name}\` does not tell what it costs.`, {
        hint: 'Limit it by `--max-attempts` and `--max-minutes` in place of `--max-cost-usd`.',
      })
    }
    return (found = agent)
  }
}

/** Counts what the calls of an act cost that was begun and not finished: their folders tell as much as is known. */
function recoverCalls({ keeper, tools, store, agent }: Loop): void {
  const folder = join(store.folder, 'calls')
  const prefix = `${keeper.state.history.length + 1}-`
  const names = readFolderIfAny(store.ground, folder).map(({ name }) => name)
  for (const call of names.filter((name) => name.startsWith(prefix))) {
    keeper.spend({ call, ...readCall(join(folder, call), { agent: agent(), env: tools.env }) })
  }
}

const doing: Readonly<Record<Exclude<Action['kind'], 'stop'>, string>> = {
  'configure-tests': 'finds out how the tests run',
  'run-tests': 'runs the tests',
  'write-prompt': 'writes the prompt',
  implement: 'asks the agent for a fix',
  'roll-back': 'undoes the attempt',
  summarize: 'sums up',
  'start-session': 'begins a new session of the agent',
}

const why: Readonly<Record<string, string>> = {
  'after-attempt': 'after the attempt',
  'confirm-failing': 'once more: is it flaky?',
  'confirm-passing': 'once more: is it sure?',
  'protected-files': 'it changed what may not be changed',
  'made-worse': 'it made other tests fail',
  'tests-lost': 'tests that ran before were not executed any more',
  stuck: 'no progress',
  context: 'the window of the model is full',
}

/** What is about to be done, a line for people. */
function describeAction(action: Exclude<Action, { kind: 'stop' }>): string {
  const detail = 'purpose' in action ? why[action.purpose] : 'reason' in action ? why[action.reason] : undefined
  return detail === undefined ? doing[action.kind] : `${doing[action.kind]} (${detail})`
}

/** What came of it. */
function describeAct(act: FinishedAct): string {
  switch (act.kind) {
    case 'tests-configured':
      return `by ${act.runner ?? 'a script'}`
    case 'tests-ran':
      return `${act.failing.length} of ${act.total} tests failed${act.others.length === 0 ? '' : `, ${act.others.length} outside the scope`}${act.blocked.length === 0 ? '' : `, ${act.blocked.length} could not be tried`}`
    case 'attempt-made':
      return `${act.outcome}: ${act.summary.replaceAll(/\s+/g, ' ').slice(0, 200)}`
    case 'rolled-back':
      return `undone: ${[why[act.reason], ...act.names].join(', ')}`
    case 'waited':
      return act.reason
    case 'broke':
      return act.message
    case 'prompt-written':
    case 'summarized':
    case 'session-started':
    case 'resumed':
      return act.kind.replace('-', ' ')
    default:
      return act satisfies never
  }
}
