import { join } from 'node:path'
import { orNothing } from '../../system/error-facts.ts'
import { MdtestError } from '../../system/mdtest-error.ts'
import { removeTemporary } from '../../system/files/remove-files.ts'
import { replaceFile, createFile, makeFolder } from '../../system/files/write-file.ts'
import { runInTrees, type CommandResult } from '../../system/process/run-command.ts'
import { redactTexts } from '../../system/redaction/redact-texts.ts'
import { noResults } from '../readers/read-results.ts'
import { formatPlace, type FailingTest, type Runner, type RunnerCommand } from '../runner.ts'
import { runnerNamed } from '../runners.ts'
import { checkScope, checkPath } from './check-scope.ts'
import { makeExcerpt } from './make-excerpt.ts'
import { captureOutput, testEnvironment, type OutputCapture, type TestRunContext } from './start-runner.ts'
import {
  missingProgram,
  describeUnplaced,
  rateRun,
  type TestRun,
  type TestRunRequest,
  formatOutcome,
} from './test-run.ts'
import { makeRunFolder } from '../../records/folders/prune-run-folders.ts'
import { groundAt, type Ground } from '../../system/files/trusted-folder.ts'
import { describeFileError } from '../../system/files/file-errors.ts'
import { writeLogFile } from '../../records/folders/log-file.ts'
import { plainLine, plainText } from '../../system/text/plain-text.ts'

/** Resolves even if nothing can start. @throws MdtestError `OPTION_TARGET`, `OPTION_PATH`, `LOG_FOLDER_UNWRITABLE` */
export async function runTests(
  asked: TestRunRequest,
  context: TestRunContext,
): Promise<{ readonly testRun: TestRun; readonly report: Report }> {
  const { root, now, trees } = context
  const request = { ...asked, run: checkScope(asked.run, root) }
  const runner = runnerNamed(request.runner)
  const report = reserveReport(context, request.reportDir)
  const template = runner.template[request.run.scope]
  const unfinished = { ...nothingRun, request, template, startedAt: now().toISOString() }
  // Create the log even if nothing can be started, because callers print its path.
  replaceFile(report.ground, join(report.path, reportFiles.rawLog), '')
  writeSummaries(report, unfinished)
  const resultsDir = trees.makeTempDir()
  try {
    const testRun = await runWithin({ runner, unfinished, report, resultsDir }, context)
    const redacted = redactTexts(testRun, context.redactor.redact)
    writeSummaries(report, redacted)
    return { testRun: redacted, report }
  } finally {
    // Ignore errors, because mdtest removes its temporary folders when it ends.
    orNothing(() => removeTemporary(resultsDir))
  }
}

const nothingRun = {
  status: 'error',
  message: 'The run has not come to its end: it is under way, or mdtest was killed.',
  ...{ argv: [], exitCode: null, signal: null, durationMs: 0, outputBytes: 0 },
  ...{ counts: null, failingTests: [], blocks: [], tail: '', excerpt: '' },
} as const

interface RunParts {
  readonly runner: Runner
  readonly unfinished: TestRun
  readonly report: Report
  readonly resultsDir: string
}

async function runWithin(parts: RunParts, context: TestRunContext): Promise<TestRun> {
  const { runner, unfinished, resultsDir } = parts
  const { root, onLine, redactor } = context
  const { run, limits } = unfinished.request
  const { maxOutputBytes } = limits
  const capture = captureOutput({ showLine: runner.showLine, maxOutputBytes, onLine })
  const { argv, end, durationMs, rawLogError } = await executeRunner(parts, { capture, context })
  const exitCode = end.reason === 'exit' ? end.exitCode : null
  const output = {
    ...{ stdout: capture.stdout.text, stderr: capture.stderr.text },
    ...{ resultsDir, root, run, exitCode, startedAtMs: Date.parse(unfinished.startedAt) },
  }
  const results = end.reason === 'spawn-failed' ? noResults : await runner.readResults(output)
  const excerpt = makeExcerpt(redactor.redact(capture.both.text), { maxBytes: maxOutputBytes })
  const missing = missingProgram({ end, counts: results.counts, printed: `${output.stdout}\n${output.stderr}`, root })
  const rating = missing === undefined ? rateRun(end, results, run) : ({ status: 'error', message: missing } as const)
  return {
    ...unfinished,
    ...rating,
    message: rating.message ?? describeUnplaced(results.failingTests, root) ?? null,
    ...results,
    argv,
    exitCode,
    signal: end.reason === 'signal' ? end.signal : null,
    durationMs,
    outputBytes: capture.stdout.totalBytes + capture.stderr.totalBytes,
    ...excerpt,
    ...(rawLogError !== undefined && { rawLogError }),
  }
}

type RunnerEnd = Pick<CommandResult, 'end' | 'durationMs' | 'rawLogError'> & Pick<TestRun, 'argv'>

async function executeRunner(
  { runner, unfinished: { request }, report, resultsDir }: RunParts,
  { capture, context }: { readonly capture: OutputCapture; readonly context: TestRunContext },
): Promise<RunnerEnd> {
  const { root, trees, runMark, redactor, signal, wrap = (built) => built } = context
  const { timeoutMs, noOutputTimeoutMs } = request.limits
  let command: RunnerCommand
  try {
    command = wrap(runner.buildCommand({ run: request.run, resultsDir, root }), resultsDir)
  } catch (error: unknown) {
    if (!(error instanceof MdtestError)) throw error
    return { argv: [], end: { reason: 'spawn-failed', error }, durationMs: 0 }
  }
  const { argv, env } = command
  const result = await runInTrees(
    { argv, cwd: root, env: { ...testEnvironment(context.env), ...env } },
    {
      ...{ trees, runMark, redactor, signal, onLine: capture.onLine },
      hardTimeoutMs: timeoutMs,
      silenceTimeoutMs: noOutputTimeoutMs,
      graceMs: 250,
      rawLogFile: join(report.path, reportFiles.rawLog),
      rawLogGround: report.ground,
      // Longer lines are cut. The limit is in UTF-16 code units.
      maxLineChars: 16 * 1024,
    },
  )
  return { ...result, argv }
}

export interface Report {
  readonly dir: string
  readonly path: string
  readonly ground: Ground
}

export const reportFiles = { rawLog: 'raw.log', markdown: 'summary.md', json: 'summary.json' } as const

export const defaultReportDir = '.cache/mdtest/reports'

type Reservation = Pick<TestRunContext, 'root' | 'now' | 'keepReports'>

export function reserveReport({ root, now, keepReports }: Reservation, dir = defaultReportDir): Report {
  const parent = checkPath({ name: 'report_dir', path: dir }, root)
  const folder = join(root, parent)
  const ground = groundAt(root)
  try {
    makeFolder(ground, folder)
    if (dir === defaultReportDir) createFile(ground, join(folder, '.gitignore'), '*\n')
    const current = makeRunFolder({ parent: folder, ground, keep: keepReports }, now())
    return { dir: join(parent, current), path: join(folder, current), ground }
  } catch (error: unknown) {
    const why = describeFileError(error)
    throw new MdtestError('LOG_FOLDER_UNWRITABLE', `The folder \`${folder}\` for reports cannot be written (${why}).`, {
      hint: 'Make it writable, or name another one as `report_dir`.',
      cause: error,
    })
  }
}

function writeSummaries(report: Report, testRun: TestRun): void {
  const json = `${JSON.stringify(toSummary(testRun), undefined, 2)}\n`
  writeLogFile(report.ground, join(report.path, reportFiles.json), json)
  writeLogFile(report.ground, join(report.path, reportFiles.markdown), formatSummary(testRun))
}

function toSummary({ request: { runner, run, limits }, ...testRun }: TestRun): object {
  const { template, argv, status, message, startedAt, durationMs, counts, failingTests, blocks, tail } = testRun
  return {
    version: 1,
    runner,
    scope: run.scope,
    target: run.scope === 'all' ? null : run.target,
    ...{ template, argv, status, message },
    exit_code: testRun.exitCode,
    signal: testRun.signal,
    started_at: startedAt,
    duration_ms: durationMs,
    limits: {
      timeout_ms: limits.timeoutMs,
      no_output_timeout_ms: limits.noOutputTimeoutMs,
      max_output_bytes: limits.maxOutputBytes,
    },
    counts,
    failing_tests: failingTests.map(({ standsFor: _standsFor, ...test }) => test),
    output_bytes: testRun.outputBytes,
    ...{ blocks, tail },
    raw_log_error: testRun.rawLogError,
  }
}

function formatSummary(testRun: TestRun): string {
  const { request, argv, template, startedAt, exitCode, signal, failingTests, blocks, tail, rawLogError } = testRun
  const { timeoutMs, noOutputTimeoutMs, maxOutputBytes } = request.limits
  const rows = [
    `- Runner: ${request.runner}: \`${template}\``,
    `- Started: ${startedAt}`,
    `- Exit code: ${exitCode ?? 'none'}`,
    `- Signal: ${signal ?? 'none'}`,
    `- Limits: ${timeoutMs} ms, ${noOutputTimeoutMs} ms without output, ${maxOutputBytes} bytes of output`,
    ...(rawLogError === undefined ? [] : [`- Raw log: ${rawLogError}`]),
  ]
  return [
    `# ${formatOutcome(testRun)}`,
    rows.join('\n'),
    ...(argv.length === 0 ? [] : [fence(JSON.stringify(argv))]),
    ...failingTests.map(failureSection),
    ...blocks.map((block, index) => `## Block ${index + 1} of ${blocks.length}\n\n${fence(block)}`),
    `## Last lines\n\n${fence(tail)}\n\n`,
  ].join('\n\n')
}

function failureSection({ name, file, line, message, expected, received }: FailingTest): string {
  const place = formatPlace({ file, line })
  const said = [
    message,
    ...(expected === undefined ? [] : [`expected: ${expected}`]),
    ...(received === undefined ? [] : [`received: ${received}`]),
  ]
  return `## Failed: ${plainLine(name)}${place && `, ${place}`}\n\n${fence(plainText(said.join('\n')))}`
}

function fence(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const marks = '`'.repeat(longest + 1)
  return `${marks}text\n${text}\n${marks}`
}
