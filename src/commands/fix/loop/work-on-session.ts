import { join, relative } from 'node:path'
import type { CliAgent } from '../../../agents/agent.ts'
import { readCall } from '../../../agents/agent-transcript.ts'
import { resolveAgent } from '../../../agents/resolve-agent.ts'
import { undoneName } from '../../attempt/attempt.ts'
import { openCheckpoints } from '../../attempt/checkpoints/checkpoints.ts'
import { configureTests, needsTasker } from '../acts/configure-tests.ts'
import { implement } from '../acts/implement.ts'
import { runTestsAct } from '../acts/run-and-judge-tests.ts'
import { needsSummarizer, summarize, needsPromptWriter, writePrompt } from '../acts/write-prompt.ts'
import { type ActContext, type FixTools, type Loop, SessionKeeper } from './session-keeper.ts'
import { type Action, nextAction } from './next-action.ts'
import { attemptsOf, whyUndone, type FinishedAct, type RollBackReason } from '../session/finished-acts.ts'
import { fixReport, type FixReport, formatReport } from '../session/fix-report.ts'
import { newFailures, type Progress, progressOf, writtenWhileJudged } from '../session/session-progress.ts'
import type { SessionState } from '../session/session-state.ts'
import { lockFiles, lockSession, sessionFolder, SessionStore } from '../session/session-store.ts'
import { resultsOf } from '../session/test-results.ts'
import { listFiles, readFolderIfAny } from '../../../system/files/list-files.ts'
import { MdtestError } from '../../../system/mdtest-error.ts'
import { endEarlierRun } from '../../../system/process/launcher/run-folder.ts'

export type SessionEnd =
  | { readonly isInterrupted: false; readonly report: FixReport }
  | { readonly isInterrupted: true; readonly sessionId: string }

interface Work {
  readonly state: SessionState
  readonly root: string
  readonly branch?: string | undefined
}

/** @throws MdtestError `OPTION_SESSION` if another process works on this session or the same files */
export async function workOnSession({ state, root, branch }: Work, tools: FixTools): Promise<SessionEnd> {
  const folder = sessionFolder(root, state.session_id)
  const store = new SessionStore(folder)
  const locks = [lockSession(folder, process.pid)]
  try {
    // Two sessions in the same files would undo each other's changes.
    if (state.settings.root === root) locks.push(lockFiles(root, process.pid))
    const loop = await openLoop(state, { ...tools, store })
    const isInterrupted = await run(loop)
    if (isInterrupted) return { isInterrupted, sessionId: state.session_id }
    return { isInterrupted, report: await finishSession(loop, root, branch ?? null) }
  } finally {
    for (const release of locks) release()
  }
}

async function openLoop(initial: SessionState, tools: FixTools & Pick<Loop, 'store'>): Promise<Loop> {
  const { env, trees, runMark, store } = tools
  const checkpoints = await openCheckpoints({
    ...{ root: initial.settings.root, folder: `${store.folder}/checkpoints`, trees, env },
    refPrefix: `refs/mdtest/${initial.session_id}`,
  })
  // If the previous mdtest was killed, programs that it started may still be running.
  if (initial.run_mark !== runMark) await endEarlierRun(initial.run_mark)
  const keeper = new SessionKeeper({ ...initial, run_mark: runMark }, { store, now: tools.now })
  return { ...tools, keeper, checkpoints, agent: () => findAgent(initial.settings, tools) }
}

/** Runs one action after the other until the session stops. Returns whether a signal interrupted the session. */
async function run(loop: Loop): Promise<boolean> {
  const { keeper, say, signal } = loop
  keeper.open()
  try {
    await undoBegunAct(loop)
    for (;;) {
      signal.throwIfAborted()
      const action = nextAction(keeper.state)
      if (action.kind === 'stop') {
        keeper.end(action.result, action.reason)
        note(loop, `stop ${action.result}`, action.reason)
        return false
      }
      say(describeAction(action))
      const act = await performAct(action, loop)
      keeper.finish(act)
      note(loop, act.kind, describeAct(act))
      say(`  ${describeAct(act)}`)
    }
  } catch (error: unknown) {
    if (signal.aborted) return true
    if (!(error instanceof MdtestError)) throw error
    keeper.fail(error.message)
    say(`mdtest: ${error.message}`)
    note(loop, 'stop error', error.message)
    return false
  }
}

function note({ store, now }: Loop, action: string, message: string): void {
  store.addEvent({ agent: 'orchestrator', action, cost_usd: null, message }, now())
}

/** Undoes an act that an earlier process began but did not finish: its changes may be incomplete. */
async function undoBegunAct(loop: Loop): Promise<void> {
  const { keeper, checkpoints, say, now } = loop
  const { act } = keeper.state
  if (act?.checkpoint == null) return
  recoverCalls(loop)
  say(`undoes an unfinished act: ${act.kind}`)
  await checkpoints.restoreAll(act.checkpoint, undoneName(now()))
  // Start a new agent session. The old one remembers changes that are now undone.
  keeper.keepAgentSession(null)
}

/** Adds the costs of the calls in an unfinished act. The agent left them in the folders of the calls. */
function recoverCalls({ keeper, store, agent, env }: Loop): void {
  const folder = join(store.folder, 'calls')
  const prefix = `${keeper.state.history.length + 1}-`
  const names = readFolderIfAny(store.ground, folder).map(({ name }) => name)
  for (const call of names.filter((name) => name.startsWith(prefix)))
    keeper.spend({ call, ...readCall(join(folder, call), { agent: agent(), env }) })
}

/** @throws MdtestError if the agent is missing, or if there is a cost limit and the agent reports no cost */
function findAgent(settings: SessionState['settings'], { env }: Pick<FixTools, 'env'>): CliAgent {
  const resolved = resolveAgent(settings.agent, { path: env.PATH ?? '', cwd: settings.root })
  if (!resolved.ok) throw resolved.error
  const { agent } = resolved
  if (settings.max_cost_usd === null || agent.tellsCost === true) return agent
  throw new MdtestError('OPTION_INVALID', `The agent \`${agent.name}\` does not report its cost.`, {
    hint: 'Use the limits `--max-attempts` and `--max-minutes` instead of `--max-cost-usd`.',
  })
}

const maxFiles = 10_000

async function finishSession(loop: Loop, root: string, branch: string | null): Promise<FixReport> {
  const { keeper, checkpoints, store } = loop
  const { state } = keeper
  const firstCheckpoint = checkpoints.place('attempt-1')
  const results = resultsOf(progressOf(state.history).accepted, store)
  const text = formatReport(state, { results, restoreCommand: checkpoints.restoreCommand('attempt-1') })
  store.write('artifacts/report.md', text)
  if (state.result === 'success') store.remove('artifacts/halt.md')
  else store.write('artifacts/halt.md', text)
  const { files } = listFiles(store.ground, join(store.folder, 'artifacts'), { maxFiles })
  const artifacts = files
    .filter(({ stats }) => stats.isFile())
    .map(({ path }) => relative(root, path))
    .filter((path) => !path.endsWith('/artifacts/report.json'))
    .toSorted()
  const { writeSessionPage } = await import('../../../report/fix-session-page.ts')
  writeSessionPage({
    ...{ dir: join(store.folder, 'page'), root, text, title: `${state.feature}: ${state.result}` },
    ...{ isSuccess: state.result === 'success', startedAt: state.started_at, durationMs: state.elapsed_ms },
    attempts: attemptsOf(state.history).map((made) => ({
      heading: `Attempt ${made.attempt} (session ${made.session})`,
      isKept: made.failing_after !== null,
    })),
  })
  const report = fixReport(state, { artifacts, firstCheckpoint, branch })
  store.write('artifacts/report.json', report)
  return report
}

type PlainAction = Exclude<Action, { kind: 'stop' }>

const doing: Readonly<Record<PlainAction['kind'], string>> = {
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
  ...whyUndone,
  stuck: 'no progress',
  context: 'the window of the model is full',
}

function describeAction(action: PlainAction): string {
  const detail = 'purpose' in action ? why[action.purpose] : 'reason' in action ? why[action.reason] : undefined
  return detail === undefined ? doing[action.kind] : `${doing[action.kind]} (${detail})`
}

function describeAct(act: FinishedAct): string {
  switch (act.kind) {
    case 'tests-configured':
      return `by ${act.runner ?? 'a script'}`
    case 'tests-ran': {
      const others = act.others.length === 0 ? '' : `, ${act.others.length} outside the scope`
      const blocked = act.blocked.length === 0 ? '' : `, ${act.blocked.length} could not be tried`
      return `${act.failing.length} of ${act.total} tests failed${others}${blocked}`
    }
    case 'attempt-made':
      return `${act.outcome}: ${act.summary.replaceAll(/\s+/g, ' ').slice(0, 200)}`
    case 'rolled-back':
      return `undone: ${[why[act.reason], ...act.names].join(', ')}`
    case 'waited':
      return act.reason
    case 'broke':
      return act.message
    default:
      return act.kind.replace('-', ' ')
  }
}

async function performAct(action: PlainAction, loop: Loop): Promise<FinishedAct> {
  const { keeper, checkpoints, signal, now } = loop
  const context = actContext(loop)
  if (!callsAgent(action, context)) {
    keeper.begin(action.kind, null)
    return await doAct(action, actContext(loop), '')
  }
  context.agent() // Throws if there is no agent, before anything is saved.
  const checkpoint =
    action.kind === 'implement' ? `attempt-${context.progress.attempts + 1}` : `act-${keeper.state.history.length + 1}`
  await checkpoints.take(checkpoint)
  keeper.begin(action.kind, checkpoint)
  const act = await doAct(action, actContext(loop), checkpoint)
  signal.throwIfAborted()
  // Only the implementer may change files, so undo the changes of all other agents.
  if (action.kind !== 'implement') await checkpoints.restoreAll(checkpoint, undoneName(now()))
  return act
}

function actContext(loop: Loop): ActContext {
  const { state } = loop.keeper
  return { ...loop, state, progress: progressOf(state.history) }
}

function callsAgent(action: PlainAction, context: ActContext): boolean {
  return (
    action.kind === 'implement' ||
    (action.kind === 'configure-tests' && needsTasker(context)) ||
    (action.kind === 'write-prompt' && needsPromptWriter(context)) ||
    (action.kind === 'summarize' && needsSummarizer(action.reason, context))
  )
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

async function rollBack(reason: RollBackReason, { progress, checkpoints, now }: ActContext): Promise<FinishedAct> {
  const { openAttempt } = progress
  if (openAttempt !== undefined) await checkpoints.restore(openAttempt.checkpoint, undoneName(now()))
  return { kind: 'rolled-back', reason, names: [...namesOf[reason](progress)] }
}

const namesOf: Readonly<Record<RollBackReason, (progress: Progress) => readonly string[]>> = {
  'protected-files': (progress) => [...(progress.openAttempt?.protectedChanges ?? []), ...writtenWhileJudged(progress)],
  'made-worse': newFailures,
  'tests-lost': ({ runs }) => runs.at(-1)?.lost ?? [],
}
