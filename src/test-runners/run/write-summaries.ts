import { join } from 'node:path'
import { writeLogFile } from '../../records/folders/write-log-file.ts'
import { formatSummary } from './format-summary.ts'
import { reportFiles, type Report } from './reserve-report.ts'
import type { TestRun } from './test-run.ts'

/**
 * Writes both summaries of a run, each whole or not at all.
 *
 * @throws MdtestError `LOG_UNWRITABLE`
 */
export function writeSummaries(report: Report, testRun: TestRun): void {
  writeLogFile(
    report.ground,
    join(report.path, reportFiles.json),
    `${JSON.stringify(toSummary(testRun), undefined, 2)}\n`,
  )
  writeLogFile(report.ground, join(report.path, reportFiles.markdown), formatSummary(testRun))
}

/** `summary.json`, with the names that the answer of `run_test` has. */
function toSummary(testRun: TestRun): object {
  const { runner, run, limits } = testRun.request
  return {
    version: 1,
    runner,
    scope: run.scope,
    target: run.scope === 'all' ? null : run.target,
    template: testRun.template,
    argv: testRun.argv,
    status: testRun.status,
    message: testRun.message,
    exit_code: testRun.exitCode,
    signal: testRun.signal,
    started_at: testRun.startedAt,
    duration_ms: testRun.durationMs,
    limits: {
      timeout_ms: limits.timeoutMs,
      no_output_timeout_ms: limits.noOutputTimeoutMs,
      max_output_bytes: limits.maxOutputBytes,
    },
    counts: testRun.counts,
    failing_tests: testRun.failingTests.map(({ standsFor: _standsFor, ...test }) => test),
    output_bytes: testRun.outputBytes,
    blocks: testRun.blocks,
    tail: testRun.tail,
    ...(testRun.rawLogError !== undefined && { raw_log_error: testRun.rawLogError }),
  }
}
