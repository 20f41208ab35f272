import { join, relative } from 'node:path'
import { z } from 'zod'
import { runInTrees } from '../exec/run-in-trees.ts'
import type { FailingTest, RunnerName } from '../runners/runner.ts'
import { collectSecrets } from '../shared/redact-secrets.ts'
import { runTests } from '../test-run/run-tests.ts'
import { testEnvironment } from '../test-run/test-environment.ts'
import type { TestRun } from '../test-run/test-run.ts'
import { putBackScript, scriptFile } from './acts/test-script.ts'
import { inContainer } from './container.ts'
import type { FixTools } from './fix-context.ts'
import { sessionsDir, type SessionStore } from './session-store.ts'
import type { SessionState } from './session-state.ts'
import { toTestResults, type RawResults, type TestResults } from './test-results.ts'

export interface TestContext extends FixTools {
  readonly state: SessionState
  readonly store: SessionStore
}

/** What a run said. Where it said nothing, `results` has one failure that tells what came. */
export type SessionTests =
  | { readonly ok: true; readonly results: TestResults }
  | {
      readonly ok: false
      readonly results: TestResults
      readonly message: string
      /** Whether it did not even start: nothing that changes the code would help. */
      readonly isSetUp: boolean
    }

const maxOutputBytes = 20_000

/** How many reports of runs stay in a session. */
const keptRuns = 50

/** Name of what fails where no test is known. */
const wholeRun = '(the run of the tests)'

/** Runs the tests of a session once: by a runner, or by the script of the session. */
export async function runSessionTests(runner: RunnerName | null, context: TestContext): Promise<SessionTests> {
  return runner === null ? await runScript(context) : await runRunner(runner, context)
}

async function runRunner(runner: RunnerName, context: TestContext): Promise<SessionTests> {
  const { state, trees, runMark, redactor, now, signal } = context
  const { settings } = state
  const { container } = settings
  const { testRun, report } = await runTests(
    {
      runner,
      run: { scope: 'all' },
      limits: {
        timeoutMs: settings.test_timeout_ms,
        noOutputTimeoutMs: settings.test_silence_timeout_ms,
        maxOutputBytes,
      },
      // In the work tree, which need not be where the session is.
      reportDir: `${sessionsDir}/${state.session_id}/test-runs`,
    },
    {
      root: settings.root,
      trees,
      runMark,
      env: environmentOf(context),
      redactor,
      now,
      keepReports: keptRuns,
      signal,
      ...(container !== null && { wrap: inContainer({ image: container, root: settings.root }) }),
    },
  )
  signal.throwIfAborted()
  return fromTestRun(testRun, { summaryPath: join(report.path, 'summary.json'), scope: settings.scope })
}

/** Counts are of tests that were executed: one that is skipped now is one less. */
function fromTestRun(
  testRun: TestRun,
  { summaryPath, scope }: { readonly summaryPath: string; readonly scope: string | null },
): SessionTests {
  const { status, message, counts, failingTests, excerpt, exitCode, signal } = testRun
  const total = counts === null ? failingTests.length : counts.total - counts.skipped
  const isKnown = status === 'pass' || status === 'fail' || (counts !== null && total === 0)
  if (isKnown) {
    const unnamed = Math.max(0, (counts?.failed ?? 0) - failingTests.length)
    const rest: FailingTest[] = unnamed === 0 ? [] : [{ name: `(${unnamed} tests without a name)`, message: excerpt }]
    const raw = { total, failingTests: [...failingTests, ...rest], isParsed: unnamed === 0, summaryPath }
    return { ok: true, results: toTestResults(raw, scope) }
  }
  const failure = { name: wholeRun, message: [message ?? status, excerpt].join('\n\n') }
  const results = toTestResults({ total, failingTests: [failure], isParsed: false, summaryPath }, scope)
  // Code may well hang its tests: that can be fixed.
  if (status === 'timeout' || status === 'no_output') return { ok: true, results }
  return {
    ok: false,
    results,
    message: `${message ?? status}\n${excerpt}`.trim(),
    isSetUp: exitCode === null && signal === null,
  }
}

/** What the script of the tests prints. */
export const scriptResultsSchema = z.object({
  total: z.int().min(0),
  failed: z.int().min(0),
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

async function runScript(context: TestContext): Promise<SessionTests> {
  const { state, store, trees, runMark, redactor, signal } = context
  const { settings, history } = state
  const file = join(store.folder, scriptFile)
  putBackScript(await store.text(scriptFile), store)
  const env = testEnvironment(environmentOf(context))
  const { container, root } = settings
  const argv = container === null ? ([file] as const) : inContainer({ image: container, root })({ argv: [file] }).argv // one
  const rawLogFile = join(store.folder, 'test-runs', `${history.length + 1}.raw.log`)
  store.write(relative(store.folder, rawLogFile), '')
  const lines: string[] = []
  const result = await runInTrees(
    { argv, cwd: root, env },
    {
      trees,
      hardTimeoutMs: settings.test_timeout_ms,
      silenceTimeoutMs: settings.test_silence_timeout_ms,
      graceMs: 250,
      runMark,
      signal,
      rawLogFile,
      redactor,
      onLine(stream, line) {
        if (stream === 'stdout') lines.push(line)
        if (lines.length > maxLines) lines.shift()
      },
    },
  )
  signal.throwIfAborted()
  const { end, tail } = result
  const exitCode = end.reason === 'exit' ? end.exitCode : null
  const parsed = scriptResultsSchema.safeParse(lastObject(lines))
  const isRead = parsed.success && (exitCode === 0) === (parsed.data.failed === 0) && (exitCode === 0 || exitCode === 1)
  if (isRead) return { ok: true, results: toTestResults(rawFrom(parsed.data, rawLogFile), settings.scope) }
  const message = `The script of the tests ended (${end.reason}${exitCode === null ? '' : ` ${exitCode}`}) and did not print \`{ total, failed, details, summary_path }\` that fits.`
  const failure = { name: wholeRun, message: `${message}\n\n${tail}` }
  const results = toTestResults(
    { total: 0, failingTests: [failure], isParsed: false, summaryPath: rawLogFile },
    settings.scope,
  )
  if (end.reason === 'hard-timeout' || end.reason === 'silence-timeout') return { ok: true, results }
  return { ok: false, results, message: `${message}\n${tail}`.trim(), isSetUp: end.reason === 'spawn-failed' }
}

const maxLines = 10_000

function rawFrom(
  { total, failed, details, summary_path: path }: z.infer<typeof scriptResultsSchema>,
  rawLog: string,
): RawResults {
  const named = details.slice(0, failed).map(({ name, file, line, message, expected, received }) => ({
    name,
    message: message ?? '',
    ...(file != null && { file }),
    ...(line != null && { line }),
    ...(expected != null && { expected }),
    ...(received != null && { received }),
  }))
  const unnamed = failed - named.length
  const rest = unnamed === 0 ? [] : [{ name: `(${unnamed} tests without a name)`, message: '' }]
  return { total, failingTests: [...named, ...rest], isParsed: unnamed === 0, summaryPath: path ?? rawLog }
}

/** The last line that is a JSON object, or the last lines that are one. */
function lastObject(lines: readonly string[]): unknown {
  for (let start = lines.length - 1; start >= 0; start -= 1) {
    if (!lines[start]?.trimStart().startsWith('{')) continue
    try {
      return JSON.parse(lines.slice(start).join('\n'))
    } catch {
      // It begins further up, or is followed by something else.
    }
  }
  return undefined
}

/** Tests get no secrets: what an agent writes is run with them. */
function environmentOf({ env, state }: Pick<TestContext, 'env' | 'state'>): Readonly<Record<string, string>> {
  const kept = new Set(state.settings.pass_env)
  const secret = new Set(collectSecrets({ env, names: [] }).secrets.map(({ value }) => value))
  return Object.fromEntries(Object.entries(env).filter(([name, value]) => kept.has(name) || !secret.has(value.trim())))
}
