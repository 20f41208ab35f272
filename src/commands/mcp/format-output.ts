import { formatOutcome } from '../../test-runners/run/format-outcome.ts'
import type { TestRun } from '../../test-runners/run/test-run.ts'
import type { RunTestOutput } from './run-test-output.ts'

/** The answer as text, for clients that do not pass on structured content. */
export function formatOutput(output: RunTestOutput, testRun: TestRun): string {
  const { failing_tests: failing, failing_tests_left_out: leftOut, excerpt, report_dir: dir } = output
  return [
    formatOutcome(testRun),
    ...failing.map((test, index) => `${index + 1}. ${formatFailure(test)}`),
    ...(leftOut === undefined ? [] : [`… and ${leftOut} more`]),
    ...(excerpt === '' ? [] : ['', excerpt, '']),
    `Report: ${dir}/ (summary.md, summary.json, raw.log)`,
  ].join('\n')
}

function formatFailure({
  name,
  file,
  line,
  message,
  expected,
  received,
}: RunTestOutput['failing_tests'][number]): string {
  const place = file === undefined ? '' : ` (${file}${line === undefined ? '' : `:${line}`})`
  const hasValues = expected !== undefined && received !== undefined
  // The message of a comparison says the same again.
  return `${name}${place}: ${hasValues ? `expected ${expected}, received ${received}` : message}`
}
