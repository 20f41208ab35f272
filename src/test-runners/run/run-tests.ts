import { join } from 'node:path'
import { MdtestError } from '../../system/mdtest-error.ts'
import { removeTemporary, replaceFile } from '../../system/files/write-file.ts'
import { runInTrees, type CommandResult } from '../../system/process/run-command.ts'
import { redactTexts } from '../../system/redaction/redact-texts.ts'
import { noResults } from '../readers/reading.ts'
import type { Runner, RunnerCommand } from '../runner.ts'
import { runnerNamed } from '../runners.ts'
import { checkScope } from './check-scope.ts'
import { makeExcerpt } from './make-excerpt.ts'
import { reportFiles, reserveReport, writeSummaries, type Report } from './report.ts'
import { captureOutput, testEnvironment, type OutputCapture, type TestRunContext } from './start-runner.ts'
import { describeUnplaced, rateRun, type TestRun, type TestRunRequest } from './test-run.ts'

/**
 * How the run went is a value, also that it could not be started. A report that says so is there from the start.
 * @throws MdtestError `OPTION_TARGET`, `OPTION_PATH`, `LOG_FOLDER_UNWRITABLE`, before anything is started
 */
export async function runTests(
  asked: TestRunRequest,
  context: TestRunContext,
): Promise<{ readonly testRun: TestRun; readonly report: Report }> {
  const { root, keepReports, now, trees } = context
  const request = { ...asked, run: checkScope(asked.run, root) }
  const runner = runnerNamed(request.runner)
  const report = reserveReport({ root, dir: request.reportDir, now: now(), keep: keepReports })
  const template = runner.template[request.run.scope]
  const unfinished = { ...nothingRun, request, template, startedAt: now().toISOString() }
  // Also where nothing can be started: whoever is told of the file finds it.
  replaceFile(report.ground, join(report.path, reportFiles.rawLog), '')
  writeSummaries(report, unfinished)
  const resultsDir = trees.makeTempDir()
  try {
    const testRun = await runWithin({ runner, unfinished, report, resultsDir }, context)
    const redacted = redactTexts(testRun, context.redactor.redact)
    writeSummaries(report, redacted)
    return { testRun: redacted, report }
  } finally {
    try {
      removeTemporary(resultsDir)
    } catch {
      // It goes with the folder of the run.
    }
  }
}

const nothingRun = {
  status: 'error',
  message: 'The run has not come to its end: it is under way, or mdtest was killed.',
  ...{ argv: [], exitCode: null, signal: null, durationMs: 0, outputBytes: 0 },
  ...{ counts: null, failingTests: [], blocks: [], tail: '', excerpt: '' },
} as const // the type of `status`

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
  const { argv, end, durationMs, rawLogError } = await start(parts, { capture, context })
  const exitCode = end.reason === 'exit' ? end.exitCode : null
  const output = {
    ...{ stdout: capture.stdout.text, stderr: capture.stderr.text },
    ...{ resultsDir, root, run, exitCode, startedAtMs: Date.parse(unfinished.startedAt) },
  }
  const results = end.reason === 'spawn-failed' ? noResults : await runner.readResults(output)
  const { text, ...excerpt } = makeExcerpt(redactor.redact(capture.both.text), { maxBytes: maxOutputBytes })
  const rating = rateRun(end, results, run)
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
    excerpt: text,
    ...(rawLogError !== undefined && { rawLogError }),
  }
}

type RunnerEnd = Pick<CommandResult, 'end' | 'durationMs' | 'rawLogError'> & Pick<TestRun, 'argv'>

async function start(
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
      // Beyond that a line says nothing to anybody (UTF-16 units).
      maxLineChars: 16 * 1024,
    },
  )
  return { ...result, argv }
}
