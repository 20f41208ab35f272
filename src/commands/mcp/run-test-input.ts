import { parseJson } from '../../system/text/parse-json.ts'
import { join } from 'node:path'
import { z } from 'zod'
import { entriesOf } from '../../system/files/list-files.ts'
import { readForeignFile } from '../../system/files/read-file.ts'
import { MdtestError } from '../../system/mdtest-error.ts'
import { checkPath, maxTargetChars } from '../../test-runners/run/check-scope.ts'
import { defaultReportDir, reportFiles } from '../../test-runners/run/run-tests.ts'
import type { TestRunRequest } from '../../test-runners/run/test-run.ts'
import type { NamedTest, RunScope } from '../../test-runners/runner.ts'
import { type RunnerName, runnerNamed, runnerNames } from '../../test-runners/runners.ts'

const maxMs = 3_600_000

function wholeNumber(min: number, max: number) {
  return z.int().min(min).max(max)
}

/** The arguments of `run_test` that clients see. */
export const runTestInput = z.strictObject({
  runner: z.enum(runnerNames).describe('The test runner of the project'),
  scope: z
    .enum(['all', 'file', 'pattern', 'failed', 'changed'])
    .describe(
      '`all` tests, those of one test `file`, those whose names match a `pattern`, those that `failed` in the last report, or those that uncommitted changes concern (`changed`). Where the runner has no means for the last two, more is run, and the answer says what',
    ),
  target: z
    .string()
    .optional()
    .describe(
      'For scope `file`: path relative to the root of the repository. For `pattern`: the name as the runner takes it. With no other scope',
    ),
  repeat: wholeNumber(1, 20)
    .default(1)
    .describe('How often to run the same, for tests that fail at times; the answer then has a rate'),
  timeout_ms: wholeNumber(100, maxMs)
    .default(600_000)
    .describe('The run, with `repeat` all of them, is ended after this time, in milliseconds'),
  no_output_timeout_ms: wholeNumber(100, maxMs)
    .default(120_000)
    .describe('The run is ended after this time without output, in milliseconds'),
  max_output_bytes: wholeNumber(1024, 1_048_576)
    .default(20_000)
    .describe('How many bytes of the end of the output the excerpt is made from, and its limit'),
  report_dir: z
    .string()
    .optional()
    .describe('Folder for reports, relative to the root of the repository (default: .cache/mdtest/reports)'),
})

export interface RunTestCall extends Omit<TestRunRequest, 'run'> {
  readonly asked: AskedRun
  readonly times: number
}

export function parseRunTestInput(value: unknown): RunTestCall {
  const { data, error } = runTestInput.safeParse(value)
  if (error)
    throw invalid(
      error.issues.map(({ path, message }) => [...path.map((key) => `\`${String(key)}\``), message].join(': ')),
    )
  const { runner, repeat, timeout_ms, no_output_timeout_ms, max_output_bytes, report_dir: reportDir } = data
  return {
    runner,
    asked: toScope(data),
    times: repeat,
    limits: { timeoutMs: timeout_ms, noOutputTimeoutMs: no_output_timeout_ms, maxOutputBytes: max_output_bytes },
    reportDir,
  }
}

function toScope({ scope, target }: z.infer<typeof runTestInput>): AskedRun {
  if (scope !== 'file' && scope !== 'pattern') {
    if (target === undefined) return { scope }
    throw invalid([`\`target\` does not go with scope \`${scope}\`: leave it out, or choose \`file\` or \`pattern\``])
  }
  if (target === undefined) throw invalid([`scope \`${scope}\` needs a \`target\``])
  return { scope, target }
}

function invalid(problems: readonly string[]): MdtestError {
  const fields = Object.keys(runTestInput.shape).map((name) => `\`${name}\``)
  return new MdtestError('OPTION_INVALID', `Wrong arguments: ${problems.join('; ')}.`, {
    hint: `The fields are ${fields.join(', ')}.`,
  })
}

export type AskedRun = RunScope | { readonly scope: 'failed' } | { readonly scope: 'changed' }

export interface ChosenRun {
  readonly run: RunScope
  readonly args?: readonly string[]
  /** Describes the tests that are run, if they differ from the requested ones. */
  readonly ran?: string
  readonly otherwise?: ChosenRun
}

interface Place {
  readonly runner: RunnerName
  readonly root: string
  readonly reportDir?: string | undefined
}

/** Chooses all tests if the runner cannot choose fewer. @throws MdtestError `OPTION_TARGET`, `OPTION_PATH` */
export function chooseRun(asked: AskedRun, place: Place): ChosenRun {
  if (asked.scope === 'failed') return chooseFailed(place)
  if (asked.scope !== 'changed') return { run: asked }
  const { changed, name } = runnerNamed(place.runner)
  if (changed === undefined) return allTests(`${name} cannot select tests by changes`)
  return {
    run: { scope: 'all' },
    args: changed,
    ran: `tests affected by uncommitted changes (${changed.join(' ')})`,
    otherwise: allTests('uncommitted changes affect none'),
  }
}

function allTests(why: string): ChosenRun {
  return { run: { scope: 'all' }, ran: `all tests: ${why}` }
}

function chooseFailed(place: Place): ChosenRun {
  const runner = runnerNamed(place.runner)
  const tests = failedTests(place)
  const names = [...new Set(tests.flatMap(({ name, file }) => (name === file ? [] : [name])))]
  const pattern = names.length === tests.length ? runner.selectTests?.(names) : undefined
  if (pattern !== undefined && pattern.length <= maxTargetChars)
    return { run: { scope: 'pattern', target: pattern }, ran: `failed tests, by ${pattern}` }
  const [file, ...others] = new Set(tests.map((test) => test.file))
  if (file !== undefined && others.length === 0)
    return { run: { scope: 'file', target: file }, ran: `${file}, which contains all failed tests` }
  return allTests(`${runner.name} cannot run only the failed tests`)
}

const maxSummaryBytes = 64 * 1024 * 1024

const summarySchema = z.object({
  runner: z.string(),
  status: z.string(),
  failing_tests: z.array(z.object({ name: z.string(), file: z.string().exactOptional() })),
})

/** Failed tests in the newest report of this runner. Other files and reports of unfinished runs are skipped. */
function failedTests({ runner, root, reportDir = defaultReportDir }: Place): readonly NamedTest[] {
  const folder = join(root, checkPath({ name: 'report_dir', path: reportDir }, root))
  const names = entriesOf(folder).map(({ name }) => name)
  for (const name of names.toSorted().toReversed()) {
    const text = readForeignFile(join(folder, name, reportFiles.json), maxSummaryBytes)?.toString('utf8')
    const { data } = summarySchema.safeParse(parseJson(text))
    if (data?.runner !== runner) continue
    if (data.failing_tests.length > 0) return data.failing_tests
    const how = data.status === 'pass' ? 'nothing failed' : `no test failed, but the run ended as \`${data.status}\``
    throw none(`in the last report of ${runner}, \`${join(reportDir, name)}\`, ${how}`)
  }
  throw none(`there is no report of ${runner} in \`${reportDir}\``)
}

function none(why: string): MdtestError {
  return new MdtestError('OPTION_TARGET', `The scope \`failed\` has no tests: ${why}.`, {
    hint: 'Run another scope first.',
  })
}
