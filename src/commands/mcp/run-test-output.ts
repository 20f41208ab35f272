import { z } from 'zod'
import { cutLine, plainLine, plainText } from '../../system/text/plain-text.ts'
import { makeShortExcerpt } from '../../test-runners/run/make-excerpt.ts'
import { reportFiles, type runTests } from '../../test-runners/run/run-tests.ts'
import { formatOutcome, type TestRun } from '../../test-runners/run/test-run.ts'
import { formatPlace, type FailingTest } from '../../test-runners/runner.ts'

const count = z.int().nonnegative()

const failureSchema = z.object({
  name: z.string(),
  file: z.string().exactOptional(),
  line: z.int().positive().exactOptional(),
  message: z.string().describe('The most informative line'),
  expected: z.string().exactOptional(),
  received: z.string().exactOptional(),
})

const repeatedSchema = z.object({
  runs: count,
  passed: count,
  failures: z.array(z.object({ name: z.string(), file: z.string().exactOptional(), failed: count })),
})

/** The answer of `run_test`. Paths are relative to the root of the repository. */
export const runTestOutput = z.object({
  status: z.enum(['pass', 'fail', 'timeout', 'no_output', 'error']),
  message: z.string().exactOptional().describe('Reason, if the status alone does not say it'),
  exit_code: z.int().nullable(),
  duration_ms: z.number().nonnegative(),
  counts: z.object({ total: count, passed: count, failed: count, skipped: count }).nullable(),
  failing_tests: z.array(failureSchema),
  failing_tests_left_out: count.positive().exactOptional().describe('More that failed; all are in the summaries'),
  ran: z.string().exactOptional().describe('What was run for scope `failed` or `changed`'),
  repeated: repeatedSchema
    .exactOptional()
    .describe(
      'With `repeat`: how many runs passed, and in how many each test failed. All other fields are about the first run that did not pass',
    ),
  excerpt: z.string().describe('The relevant output, if `failing_tests` does not contain it'),
  report_dir: z.string(),
  artifacts: z.object({ raw_log: z.string(), summary_md: z.string(), summary_json: z.string() }),
})

export type RunTestOutput = z.infer<typeof runTestOutput>

export type Finished = Awaited<ReturnType<typeof runTests>>

export interface ToldRun extends Finished {
  readonly repeated?: z.infer<typeof repeatedSchema>
  readonly ran?: string | undefined
}

/** If all failures are known, output longer than this is shortened to lines about them. The report has all output. */
const shortOutputBytes = 4_000

export function toOutput({ testRun, report, ran, repeated }: ToldRun): RunTestOutput {
  const { request, status, message, exitCode, durationMs, counts, excerpt } = testRun
  const { kept, leftOut } = shortenFailures(testRun.failingTests, { maxBytes: request.limits.maxOutputBytes })
  const failures = repeated?.failures.slice(0, maxCount).map((each) => ({ ...each, name: shortName(each.name) })) ?? []
  return {
    ...{ status, ...(message !== null && { message }), exit_code: exitCode, duration_ms: durationMs, counts },
    failing_tests: [...kept],
    ...(leftOut > 0 && { failing_tests_left_out: leftOut }),
    ...(ran !== undefined && { ran }),
    ...(repeated && { repeated: { ...repeated, failures } }),
    excerpt: isSaid(testRun) && testRun.outputBytes > shortOutputBytes ? shortExcerpt(testRun) : excerpt,
    report_dir: report.dir,
    artifacts: {
      raw_log: `${report.dir}/${reportFiles.rawLog}`,
      summary_md: `${report.dir}/${reportFiles.markdown}`,
      summary_json: `${report.dir}/${reportFiles.json}`,
    },
  }
}

function shortExcerpt({ status, blocks, outputBytes, request }: TestRun): string {
  if (status === 'pass') return ''
  const maxBytes = Math.min(Math.max(200, outputBytes / 120), 1000, request.limits.maxOutputBytes)
  return makeShortExcerpt(blocks, { maxBytes })
}

function isSaid({ status, counts, failingTests }: TestRun): boolean {
  if (status === 'pass') return true
  return status === 'fail' && failingTests.length > 0 && failingTests.length >= (counts?.failed ?? 0)
}

const maxTextChars = 300
const maxCount = 50

function shortName(name: string): string {
  return cutLine(plainLine(name), 500)
}

/** Shortens failing tests, and keeps as many as fit into about `maxBytes` of JSON. */
export function shortenFailures(
  failures: readonly FailingTest[],
  { maxBytes }: { readonly maxBytes: number },
): { readonly kept: readonly FailingTest[]; readonly leftOut: number } {
  const kept: FailingTest[] = []
  let bytes = 0
  for (const failure of failures.slice(0, maxCount)) {
    const short = cutFailure(failure)
    bytes += Buffer.byteLength(JSON.stringify(short)) + 1
    if (bytes > maxBytes) break
    kept.push(short)
  }
  return { kept, leftOut: failures.length - kept.length }
}

function cutFailure({ name, message, expected, received, standsFor: _standsFor, ...place }: FailingTest): FailingTest {
  return {
    name: shortName(name),
    ...place,
    message: cutLine(plainLine(tellingLine(message)), maxTextChars),
    ...(expected !== undefined && { expected: cutLine(plainText(expected), maxTextChars) }),
    ...(received !== undefined && { received: cutLine(plainText(received), maxTextChars) }),
  }
}

/** The line of a message that names the error: usually the first, but some messages begin with a file and line. */
function tellingLine(message: string): string {
  const lines = message.split('\n').map((line) => line.trim())
  const [first = '', next = ''] = lines.filter((line) => line !== '')
  if (/^\S*\w(?:Error|Exception)\b/.test(first)) return first
  if (first.endsWith(':')) return `${first} ${next}`
  const isPlace = /:\d+$|^File ".*", line \d+/.test(first)
  return (isPlace ? lines.find((line) => /^\w*(?:Error|Exception)\b.*: /.test(line)) : undefined) ?? first
}

export function formatOutput(output: RunTestOutput, testRun: TestRun): string {
  const { failing_tests: failing, failing_tests_left_out: leftOut, ran, repeated, excerpt, report_dir: dir } = output
  const rates = repeated?.failures.map(({ name, failed }) => `${name} failed in ${failed}`) ?? []
  const rate = `${repeated?.passed} of ${repeated?.runs} runs passed${rates.length === 0 ? '' : `: ${rates.join(', ')}`}.`
  return [
    formatOutcome(testRun),
    ...(ran === undefined ? [] : [`Run: ${ran}.`]),
    ...(repeated === undefined ? [] : [rate]),
    ...failing.map((test, index) => `${index + 1}. ${failureLine(test)}`),
    ...(leftOut === undefined ? [] : [`… and ${leftOut} more`]),
    ...(excerpt === '' ? [] : ['', excerpt, '']),
    `Report: ${dir}/ (summary.md, summary.json, raw.log)`,
  ].join('\n')
}

function failureLine(failure: FailingTest): string {
  const { name, file, line, message, expected, received } = failure
  const place = file === undefined ? '' : ` (${formatPlace({ file, line })})`
  const hasValues = expected !== undefined && received !== undefined
  // Expected and received values usually repeat the message, so leave it out. Keep it for `.not` and `.toThrow`.
  const isNeeded = /\bexpected .*\b(?:not to|to throw)\b/.test(message)
  return `${name}${place}: ${hasValues && !isNeeded ? `expected ${expected}, received ${received}` : message}`
}
