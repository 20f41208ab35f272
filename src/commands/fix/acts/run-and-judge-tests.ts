import { dirname, join, relative } from 'node:path'
import { z } from 'zod'
import { findLostTests, runWatched } from '../../attempt/attempt.ts'
import { putBackScript, scriptFile } from './configure-tests.ts'
import type { ActContext, FixTools } from '../loop/session-keeper.ts'
import type { FinishedAct, TestPurpose, TestsRan } from '../session/finished-acts.ts'
import type { SessionState } from '../session/session-state.ts'
import { sessionsDir } from '../session/session-store.ts'
import { type RawResults, resultsOf, testKey, type TestResults, toTestResults } from '../session/test-results.ts'
import { type CommandResult, runInTrees } from '../../../system/process/run-command.ts'
import { collectSecrets } from '../../../system/redaction/secret-forms.ts'
import { ownFile } from '../../../system/mdtest-package.ts'
import { parseJson } from '../../../system/text/parse-json.ts'
import { withoutUndefined } from '../../../system/without-undefined.ts'
import { executedTests, type ExecutedTests, countRenamed } from '../../../test-runners/executed-tests.ts'
import { relativeFile } from '../../../test-runners/readers/file-and-line.ts'
import { runTests } from '../../../test-runners/run/run-tests.ts'
import { testEnvironment } from '../../../test-runners/run/start-runner.ts'
import { describeUnplaced } from '../../../test-runners/run/test-run.ts'
import type { FailingTest, RunnerCommand } from '../../../test-runners/runner.ts'
import type { RunnerName } from '../../../test-runners/runners.ts'

export async function runTestsAct(purpose: TestPurpose, context: ActContext): Promise<FinishedAct> {
  const { state, store, progress, checkpoints } = context
  const { result: ran, written } = await runWatched(checkpoints, () =>
    runSessionTests(progress.runner ?? null, context),
  )
  const { results, failure } = ran
  // If there are no results, stop, unless the attempt may be the cause.
  if (failure !== undefined && (purpose === 'baseline' || failure.isSetUp))
    return { kind: 'broke', message: failure.message }
  const judges = state.settings.allow_test_edits ? [] : await written()
  const resultsFile = `results/${state.history.length + 1}.json`
  store.write(resultsFile, results)
  store.write('artifacts/test_results.json', results)
  const lost = lostTests(results, context)
  return {
    ...{ kind: 'tests-ran', purpose, total: results.total, resultsFile },
    ...(lost.length > 0 && { lost: [...lost] }),
    ...renamedTests(results, resultsOf(progress.runs.at(-1), store)),
    failing: results.failing.map(({ key }) => key),
    others: results.others.map(({ key }) => key),
    blocked: results.blocked,
    signature: results.signature,
    ...(judges.length > 0 && { written: [...judges] }),
  }
}

/** Names of tests that ran before the attempt but not after it. A single placeholder if the names are unknown. */
function lostTests({ total, ...now }: TestResults, context: ActContext): readonly string[] {
  const { openAttempt, accepted } = context.progress
  if (openAttempt === undefined || accepted === undefined || context.state.settings.allow_test_edits) return []
  const before = resultsOf(accepted, context.store)
  const lost = findLostTests({
    before: before.executed ?? [],
    after: executedIn(now),
    unstable: accepted.unstable,
    counts: before.executed !== null && now.executed !== null ? {} : { before: before.total, after: total },
    areTestsAdded: false,
  })
  if (lost === undefined) return []
  return lost.missing.length > 0 ? lost.missing.map(({ name }) => name) : ['(tests without a name)']
}

/** Compares two runs of the same code, in which names of tests may differ. */
function renamedTests(
  { executed, failing, others }: TestResults,
  { executed: earlier }: TestResults,
): Pick<TestsRan, 'unstable' | 'renamed'> {
  if (executed === null || earlier === null) return {}
  const unstable = countRenamed(earlier, executed)
  const known = new Set(earlier.map(testKey))
  const added = new Set(executed.map(testKey).filter((key) => !known.has(key)))
  const renamed = [...failing, ...others].map(({ key }) => key).filter((key) => added.has(key))
  const areRenamed = renamed.length > 0 && renamed.length <= unstable
  return { ...(unstable > 0 && { unstable }), ...(areRenamed && { renamed }) }
}

function executedIn({ executed, skipped }: Pick<TestResults, 'executed' | 'skipped'>): ExecutedTests {
  return { tests: executed ?? [], areAll: executed !== null, ...(skipped && { skipped }) }
}

export type TestContext = FixTools & Pick<ActContext, 'state' | 'store'>

export interface SessionTests {
  readonly results: TestResults
  /** Why there are no results. `isSetUp`: the set-up is the cause, so a change of code cannot help. */
  readonly failure?: { readonly message: string; readonly isSetUp: boolean }
}

const wholeRun = '(the run of the tests)'

export async function runSessionTests(runner: RunnerName | null, context: TestContext): Promise<SessionTests> {
  return runner === null ? await runScript(context) : await runRunner(runner, context)
}

async function runRunner(runner: RunnerName, context: TestContext): Promise<SessionTests> {
  const { state, trees, runMark, redactor, now, signal } = context
  const { root, container, test_timeout_ms: timeoutMs, test_silence_timeout_ms: noOutputTimeoutMs } = state.settings
  const { testRun, report } = await runTests(
    {
      runner,
      run: { scope: 'all' },
      limits: { timeoutMs, noOutputTimeoutMs, maxOutputBytes: 20_000 },
      // Reports must be in the work tree. The session's own folder may be outside of it.
      reportDir: `${sessionsDir}/${state.session_id}/test-runs`,
    },
    {
      ...{ root, trees, runMark, env: environmentOf(context), redactor, now, keepReports: 50, signal },
      ...(container !== null && { wrap: inContainer({ image: container, root }) }),
    },
  )
  signal.throwIfAborted()
  const { status, message, counts, failingTests, excerpt, exitCode } = testRun
  const summaryPath = join(report.path, 'summary.json')
  const total = counts === null ? failingTests.length : counts.total - counts.skipped
  if (status !== 'pass' && status !== 'fail' && (counts === null || total > 0 || exitCode === null)) {
    return withoutResults([message ?? status, excerpt], {
      ...{ total, summaryPath, state, isHanging: status === 'timeout' || status === 'no_output' },
      isSetUp: exitCode === null && testRun.signal === null,
    })
  }
  const unnamed = Math.max(0, (counts?.failed ?? 0) - failingTests.length)
  const rest: FailingTest[] = unnamed === 0 ? [] : [{ name: nameOfUnnamed(unnamed), message: excerpt }]
  // The run failed although no test failed, for example because a hook failed or coverage is too low.
  const isUnexplained = exitCode !== 0 && failingTests.length === 0 && unnamed === 0 && total > 0
  if (isUnexplained) rest.push({ name: wholeRun, message: [message ?? status, excerpt].join('\n\n') })
  return withResults({ total, executed: executedTests(testRun), named: failingTests, rest, summaryPath }, state)
}

function withResults(raw: RawResults, { settings }: SessionState): SessionTests {
  const { root, scope } = settings
  const misread = scope === null ? undefined : describeUnplaced(raw.named, root)
  return { results: toTestResults(raw, scope), ...(misread && { failure: { message: misread, isSetUp: true } }) }
}

function withoutResults(
  words: readonly string[],
  told: Pick<RawResults, 'total' | 'summaryPath'> & { state: SessionState; isHanging: boolean; isSetUp: boolean },
): SessionTests {
  const { state, isHanging, isSetUp, ...counts } = told
  const rest = [{ name: wholeRun, message: words.join('\n\n') }]
  const results = toTestResults({ ...counts, named: [], rest }, state.settings.scope)
  // After a timeout, the session goes on, because an attempt may repair code that hangs.
  return { results, ...(!isHanging && { failure: { message: words.join('\n').trim(), isSetUp } }) }
}

function nameOfUnnamed(count: number): string {
  return `(${count} tests without a name)`
}

export const scriptResultsSchema = z.object({
  total: z.int().min(0),
  failed: z.int().min(0),
  passed: z
    .array(z.object({ name: z.string(), file: z.string().nullish() }))
    .nullish()
    .describe('Each test that passed; by them attempts are held to the tests that ran before.'),
  details: z
    .array(
      z.object({
        name: z.string(),
        file: z.string().nullish(),
        line: z.number().nullish(),
        message: z.string().nullish(),
        expected: z.string().nullish(),
        received: z.string().nullish(),
      }),
    )
    .catch([]),
  summary_path: z.string().nullish(),
})

type ScriptResults = z.infer<typeof scriptResultsSchema>

async function runScript(context: TestContext): Promise<SessionTests> {
  const { state, store } = context
  const rawLogFile = join(store.folder, 'test-runs', `${state.history.length + 1}.raw.log`)
  store.write(relative(store.folder, rawLogFile), '')
  putBackScript(store.text(scriptFile), store)
  const lines: string[] = []
  const { end, tail } = await startScript(context, rawLogFile, lines)
  context.signal.throwIfAborted()
  const exitCode = end.reason === 'exit' ? end.exitCode : null
  const parsed = scriptResultsSchema.safeParse(lastObject(lines))
  if (parsed.success && fits(parsed.data, exitCode)) return fromScript(parsed.data, { rawLogFile, state })
  const message = `The script of the tests ended (${end.reason}${exitCode === null ? '' : ` ${exitCode}`}) and did not print \`{ total, failed, passed, details, summary_path }\` that fits.`
  return withoutResults([message, tail], {
    ...{ total: 0, summaryPath: rawLogFile, state },
    isHanging: end.reason === 'hard-timeout' || end.reason === 'silence-timeout',
    isSetUp: end.reason === 'spawn-failed',
  })
}

/** Whether the counts match the exit code and, if there is one, the list of passed tests. */
function fits({ total, failed, passed }: ScriptResults, exitCode: number | null): boolean {
  return exitCode === (failed === 0 ? 0 : 1) && (passed == null || passed.length === total - failed)
}

const maxLines = 10_000

async function startScript(context: TestContext, rawLogFile: string, lines: string[]): Promise<CommandResult> {
  const { state, store, trees, runMark, redactor, signal } = context
  const { container, root, test_timeout_ms: hardTimeoutMs, test_silence_timeout_ms: silenceTimeoutMs } = state.settings
  const file = join(store.folder, scriptFile)
  const argv = container === null ? ([file] as const) : inContainer({ image: container, root })({ argv: [file] }).argv
  return await runInTrees(
    { argv, cwd: root, env: testEnvironment(environmentOf(context)) },
    {
      ...{ trees, hardTimeoutMs, silenceTimeoutMs, graceMs: 250, runMark, signal },
      ...{ rawLogFile, rawLogGround: store.ground, redactor },
      onLine(stream, line) {
        if (stream === 'stdout') lines.push(line)
        if (lines.length > maxLines) lines.shift()
      },
    },
  )
}

function fromScript(
  { total, failed, passed, details, summary_path: path }: ScriptResults,
  { rawLogFile, state }: { rawLogFile: string; state: SessionState },
): SessionTests {
  const { root } = state.settings
  const place = (file: string | null | undefined): string | undefined =>
    file == null ? undefined : relativeFile(file, root)
  const named = details.slice(0, failed).map(({ name, file, line, message, expected, received }): FailingTest =>
    withoutUndefined<FailingTest>({
      ...{ name, message: message ?? '', file: place(file), line: line ?? undefined },
      ...{ expected: expected ?? undefined, received: received ?? undefined },
    }),
  )
  const unnamed = failed - named.length
  const rest = unnamed === 0 ? [] : [{ name: nameOfUnnamed(unnamed), message: '' }]
  const passedTests = passed?.map(({ name, file }) => withoutUndefined({ name, file: place(file) }))
  const counts = { total, passed: total - failed, failed, skipped: 0 }
  const executed = executedTests({ counts, failingTests: named, ...(passedTests && { passedTests }) })
  return withResults({ total, executed, named, rest, summaryPath: path ?? rawLogFile }, state)
}

function lastObject(lines: readonly string[]): unknown {
  for (let start = lines.length - 1; start >= 0; start -= 1) {
    // If the line is in the middle of the JSON text, parsing fails, and the loop tries an earlier line.
    const found = lines[start]?.trimStart().startsWith('{') ? parseJson(lines.slice(start).join('\n')) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

/** Tests run code of an agent, so secrets are removed from the environment, unless `pass_env` names them. */
export function environmentOf({ env, state }: Pick<TestContext, 'env' | 'state'>): Readonly<Record<string, string>> {
  const kept = new Set(state.settings.pass_env)
  const secret = new Set(collectSecrets(env).secrets.map(({ value }) => value))
  return Object.fromEntries(Object.entries(env).filter(([name, value]) => kept.has(name) || !secret.has(value.trim())))
}

/** Wraps a command in `docker run`. Project, results and reporters have the same paths as outside. */
export function inContainer({
  image,
  root,
}: Record<'image' | 'root', string>): (command: RunnerCommand, resultsDir?: string) => RunnerCommand {
  return ({ argv, env = {} }, resultsDir) => ({
    argv: [
      'docker',
      ...['run', '--rm', '--init', '--network=none', '--cap-drop=ALL', '--security-opt=no-new-privileges'],
      '--pids-limit=4096',
      ...[root, ...(resultsDir === undefined ? [] : [resultsDir])].map(mountOf),
      ...(resultsDir === undefined ? [] : [`${mountOf(dirname(ownFile('#vitest-reporter')))},readonly`]),
      `--workdir=${root}`,
      ...Object.entries({ CI: 'true', NO_COLOR: '1', ...env }).map(([name, value]) => `--env=${name}=${value}`),
      ...['--', image, ...argv],
    ],
  })
}

function mountOf(path: string): string {
  return `--mount=type=bind,${csvField(`source=${path}`)},${csvField(`target=${path}`)}`
}

/** Docker parses a mount as a line of CSV, so commas and quotes in a path need quoting. */
function csvField(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
