import { join } from 'node:path'
import type { Runner, RunnerCommand, RunnerResults } from '../runner.ts'
import { runnerNamed } from '../runners.ts'
import { MdtestError } from '../../system/mdtest-error.ts'
import { redactTexts } from '../../system/redaction/redact-texts.ts'
import { checkScope } from './check-scope.ts'
import { makeExcerpt } from './make-excerpt.ts'
import { rateRun, describeUnplaced, type TestRun, type TestRunRequest } from './test-run.ts'
import { reportFiles, reserveReport, type Report, writeSummaries } from './report.ts'
import { captureOutput, startRunner, type TestRunContext } from './start-runner.ts'
import { removeTemporary, replaceFile } from '../../system/files/write-file.ts'

/**
 * Runs a project's tests by the template of a runner, within limits, and writes a report. How the run went is a value,
 * also that it could not be started. A report that says so is there from the start, should we be killed.
 *
 * @throws MdtestError `OPTION_TARGET`, `OPTION_PATH`, `LOG_FOLDER_UNWRITABLE`, before anything is started
 */
export async function runTests(
  asked: TestRunRequest,
  context: TestRunContext,
): Promise<{ readonly testRun: TestRun; readonly report: Report }> {
  const { root, keepReports, now, trees } = context
  const request = { ...asked, run: await checkScope(asked.run, root) }
  const runner = runnerNamed(request.runner)
  const report = await reserveReport({ root, dir: request.reportDir, now: now(), keep: keepReports })
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
    removeQuietly(resultsDir)
  }
}

function removeQuietly(folder: string): void {
  try {
    removeTemporary(folder)
  } catch {
    // It goes with the folder of the run.
  }
}

const nothingRun = {
  argv: [],
  status: 'error',
  message: 'The run has not come to its end: it is under way, or mdtest was killed.',
  exitCode: null,
  signal: null,
  durationMs: 0,
  outputBytes: 0,
  counts: null,
  failingTests: [],
  blocks: [],
  tail: '',
  excerpt: '',
} as const // the type of `status`

interface RunParts {
  readonly runner: Runner
  readonly unfinished: TestRun
  readonly report: Report
  readonly resultsDir: string
}

async function runWithin(
  { runner, unfinished, report, resultsDir }: RunParts,
  context: TestRunContext,
): Promise<TestRun> {
  const { root, wrap = (built) => built } = context
  const { run, limits } = unfinished.request
  const capture = captureOutput({
    showLine: runner.showLine,
    maxOutputBytes: limits.maxOutputBytes,
    onLine: context.onLine,
  })
  const command = attempt(() => wrap(runner.buildCommand({ run, resultsDir, root }), resultsDir))
  const { end, durationMs, rawLogError } =
    command instanceof MdtestError
      ? { end: { reason: 'spawn-failed', error: command } as const, durationMs: 0 } // narrows `reason`
      : await startRunner(command, { limits, report, capture }, context)
  const exitCode = end.reason === 'exit' ? end.exitCode : null
  const startedAtMs = Date.parse(unfinished.startedAt)
  const output = {
    stdout: capture.stdout.text,
    stderr: capture.stderr.text,
    resultsDir,
    root,
    run,
    exitCode,
    startedAtMs,
  }
  const results: RunnerResults =
    end.reason === 'spawn-failed' ? { counts: null, failingTests: [] } : await runner.readResults(output)
  const { blocks, tail, text } = makeExcerpt(context.redactor.redact(capture.both.text), {
    maxBytes: limits.maxOutputBytes,
  })
  const rating = rateRun(end, results, run)
  return {
    ...unfinished,
    ...rating,
    message: rating.message ?? describeUnplaced(results.failingTests, root) ?? null,
    ...results,
    argv: command instanceof MdtestError ? [] : command.argv,
    exitCode,
    signal: end.reason === 'signal' ? end.signal : null,
    durationMs,
    outputBytes: capture.stdout.totalBytes + capture.stderr.totalBytes,
    blocks,
    tail,
    excerpt: text,
    ...(rawLogError !== undefined && { rawLogError }),
  }
}

function attempt(build: () => RunnerCommand): RunnerCommand | MdtestError {
  try {
    return build()
  } catch (error: unknown) {
    if (error instanceof MdtestError) return error
    throw error
  }
}
