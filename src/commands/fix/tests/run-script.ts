import { join, relative } from 'node:path'
import { z } from 'zod'
import { executedTests, type ExecutedTests } from '../../../test-runners/executed-tests.ts'
import { testEnvironment } from '../../../test-runners/run/start-runner.ts'
import { putBackScript, scriptFile } from '../acts/test-script.ts'
import { inContainer } from './container.ts'
import { environmentOf, noneExecuted, wholeRun, type SessionTests, type TestContext } from './session-tests.ts'
import { toTestResults, type RawResults } from '../session/test-results.ts'
import { relativeFile } from '../../../test-runners/readers/place.ts'
import { describeUnplaced } from '../../../test-runners/run/test-run.ts'
import { type CommandResult, runInTrees } from '../../../system/process/run-command.ts'

/** What the script of the tests prints. */
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

/** Runs the script of a session, and reads what it prints. */
export async function runScript(context: TestContext): Promise<SessionTests> {
  const { state, store } = context
  const rawLogFile = join(store.folder, 'test-runs', `${state.history.length + 1}.raw.log`)
  store.write(relative(store.folder, rawLogFile), '')
  putBackScript(await store.text(scriptFile), store)
  const lines: string[] = []
  const { end, tail } = await start(context, { rawLogFile, lines })
  context.signal.throwIfAborted()
  const { scope, root } = state.settings
  const exitCode = end.reason === 'exit' ? end.exitCode : null
  const parsed = scriptResultsSchema.safeParse(lastObject(lines))
  const isRead = parsed.success && fits(parsed.data, exitCode)
  if (isRead) return fromScript(rawFrom(parsed.data, { rawLogFile, root }), { root, scope })
  const message = `The script of the tests ended (${end.reason}${exitCode === null ? '' : ` ${exitCode}`}) and did not print \`{ total, failed, passed, details, summary_path }\` that fits.`
  const failure = { name: wholeRun, message: `${message}\n\n${tail}` }
  const results = toTestResults({ total: 0, failingTests: [failure], isParsed: false, summaryPath: rawLogFile }, scope)
  if (end.reason === 'hard-timeout' || end.reason === 'silence-timeout')
    return { ok: true, results, executed: noneExecuted }
  return { ok: false, results, message: `${message}\n${tail}`.trim(), isSetUp: end.reason === 'spawn-failed' }
}

/** The exit code says the same, and so do the names where they are told. */
function fits({ total, failed, passed }: ScriptResults, exitCode: number | null): boolean {
  return exitCode === (failed === 0 ? 0 : 1) && (passed == null || passed.length === total - failed)
}

function fromScript(
  raw: RawResults & { readonly executed: ExecutedTests },
  { root, scope }: { readonly root: string; readonly scope: string | null },
): SessionTests {
  const results = toTestResults(raw, scope)
  const misread = scope === null ? undefined : describeUnplaced(raw.failingTests, root)
  if (misread !== undefined) return { ok: false, results, message: misread, isSetUp: true }
  return { ok: true, results, executed: raw.executed }
}

/** `lines` gets the last of what it prints. */
async function start(
  context: TestContext,
  { rawLogFile, lines }: { readonly rawLogFile: string; readonly lines: string[] },
): Promise<CommandResult> {
  const { state, store, trees, runMark, redactor, signal } = context
  const { container, root, testTimeoutMs: hardTimeoutMs, testSilenceTimeoutMs: silenceTimeoutMs } = state.settings
  const file = join(store.folder, scriptFile)
  const argv = container === null ? ([file] as const) : inContainer({ image: container, root })({ argv: [file] }).argv // one
  return await runInTrees(
    { argv, cwd: root, env: testEnvironment(environmentOf(context)) },
    {
      trees,
      hardTimeoutMs,
      silenceTimeoutMs,
      graceMs: 250,
      runMark,
      signal,
      rawLogFile,
      rawLogGround: store.ground,
      redactor,
      onLine(stream, line) {
        if (stream === 'stdout') lines.push(line)
        if (lines.length > maxLines) lines.shift()
      },
    },
  )
}

const maxLines = 10_000

function rawFrom(
  { total, failed, passed, details, summary_path: path }: ScriptResults,
  { rawLogFile, root }: { readonly rawLogFile: string; readonly root: string },
): RawResults & { readonly executed: ExecutedTests } {
  const named = details.slice(0, failed).map(({ name, file, line, message, expected, received }) => ({
    name,
    message: message ?? '',
    ...(file != null && { file: relativeFile(file, root) }),
    ...(line != null && { line }),
    ...(expected != null && { expected }),
    ...(received != null && { received }),
  }))
  const unnamed = failed - named.length
  const rest = unnamed === 0 ? [] : [{ name: `(${unnamed} tests without a name)`, message: '' }]
  const passedTests = passed?.map(({ name, file }) => ({
    name,
    ...(file != null && { file: relativeFile(file, root) }),
  }))
  const counts = { total, passed: total - failed, failed, skipped: 0 }
  const executed = executedTests({ counts, failingTests: named, ...(passedTests && { passedTests }) })
  const failingTests = [...named, ...rest]
  return { total, executed, failingTests, isParsed: unnamed === 0, summaryPath: path ?? rawLogFile }
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
