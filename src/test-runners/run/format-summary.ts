import type { FailingTest } from '../runner.ts'
import { formatOutcome } from './format-outcome.ts'
import type { TestRun } from './test-run.ts'
import { plainLine, plainText } from '../../system/text/plain-text.ts'

/** `summary.md`, for people and agents. */
export function formatSummary(testRun: TestRun): string {
  const { request, argv, template, startedAt, exitCode, signal, failingTests, blocks, tail, rawLogError } = testRun
  const { timeoutMs, noOutputTimeoutMs, maxOutputBytes } = request.limits
  const rows = [
    ['Runner', `${request.runner}: \`${template}\``],
    ['Started', startedAt],
    ['Exit code', exitCode ?? 'none'],
    ['Signal', signal ?? 'none'],
    ['Limits', `${timeoutMs} ms, ${noOutputTimeoutMs} ms without output, ${maxOutputBytes} bytes of output`],
    ...(rawLogError === undefined ? [] : [['Raw log', rawLogError]]),
  ]
  return [
    `# ${formatOutcome(testRun)}`,
    rows.map(([name, value]) => `- ${name}: ${value}`).join('\n'),
    ...(argv.length === 0 ? [] : [fence(JSON.stringify(argv))]),
    ...failingTests.map(formatFailure),
    ...blocks.map((block, index) => `## Block ${index + 1} of ${blocks.length}\n\n${fence(block)}`),
    `## Last lines\n\n${fence(tail)}`,
    '',
  ].join('\n\n')
}

function formatFailure({ name, file, line, message, expected, received }: FailingTest): string {
  const place = [file, line].filter((part) => part !== undefined).join(':')
  const values = [
    expected === undefined ? [] : [`expected: ${expected}`],
    received === undefined ? [] : [`received: ${received}`],
  ]
  return `## ${[`Failed: ${plainLine(name)}`, place].filter(Boolean).join(', ')}\n\n${fence(plainText([message, ...values.flat()].join('\n')))}`
}

/** Longer than any run of backticks in the text. */
function fence(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const marks = '`'.repeat(longest + 1)
  return `${marks}text\n${text}\n${marks}`
}
