import type { Redact } from '../shared/redact-texts.ts'
import { firstDifference, formatLineDiff } from '../output/line-diff.ts'

const maxTextLength = 64 * 1024

/** What a command was expected to do and what it did. */
export interface Comparison {
  /** For the message, for example `` `npm test` ``. */
  readonly what: string
  /** Takes secrets out of the message, after the comparison. */
  readonly redact: Redact
  /** Markdown line of the command. */
  readonly line: number
  readonly expectedExitCode: number
  readonly actualExitCode: number
  /** Each stream that is compared. */
  readonly streams: readonly ComparedStream[]
  /** Shown when the exit code is wrong and no output is compared. */
  readonly tail?: string
}

export interface ComparedStream {
  /** For the message: `output`, `stdout` or `stderr`. */
  readonly name: string
  readonly expected: readonly string[]
  readonly actual: readonly string[]
  /** Markdown line of the first expected line. */
  readonly line: number
}

/** How a command differs from what was expected. */
export interface Difference {
  readonly message: string
  readonly line: number
  readonly expected: string
  readonly actual: string
}

/** Undefined when exit code and all compared streams are as expected. */
export function compareOutput(comparison: Comparison): Difference | undefined {
  const { what, redact, line, expectedExitCode, actualExitCode, tail } = comparison
  const differing = comparison.streams.flatMap((stream) => {
    const index = firstDifference(stream.expected, stream.actual)
    return index === undefined ? [] : [{ ...stream, line: stream.line + index }]
  })
  const isExitWrong = expectedExitCode !== actualExitCode
  if (differing.length === 0 && !isExitWrong) return undefined
  const streams = comparison.streams.map((stream) => redactStream(stream, redact))
  const shown = differing.map((stream) => redactStream(stream, redact))
  const parts = [
    ...(isExitWrong ? [`${what} ended with exit code ${actualExitCode}, expected ${expectedExitCode}.`] : []),
    ...shown.map((stream) => describe(stream, what)),
    ...(differing.length === 0 && tail !== undefined && tail !== '' ? [tail] : []),
  ]
  return {
    message: parts.join('\n\n'),
    line: differing[0]?.line ?? line,
    expected: toText(streams, 'expected', isExitWrong ? expectedExitCode : undefined),
    actual: toText(streams, 'actual', isExitWrong ? actualExitCode : undefined),
  }
}

/** Multi-line secrets become one mark, so lines are joined first. */
function redactStream<T extends ComparedStream>(stream: T, redact: Redact): T {
  const clean = (lines: readonly string[]): readonly string[] =>
    lines.length === 0 ? lines : redact(lines.join('\n')).split('\n')
  return { ...stream, expected: clean(stream.expected), actual: clean(stream.actual) }
}

function describe({ name, expected, actual }: ComparedStream, what: string): string {
  if (firstDifference(expected, actual) === undefined) {
    return `${what}: ${name} is not as expected; it differs in a secret, which is not shown.`
  }
  return `${what}: ${name} is not as expected (- expected, + actual):\n${formatLineDiff(expected, actual)}`
}

/** As in a transcript, the exit code in brackets last. */
function toText(streams: readonly ComparedStream[], side: 'expected' | 'actual', exitCode: number | undefined): string {
  const lines = streams.flatMap((stream) => [...(streams.length > 1 ? [`${stream.name}:`] : []), ...stream[side]])
  const text = [...lines, ...(exitCode === undefined ? [] : [`[${exitCode}]`])].join('\n')
  return text.length <= maxTextLength ? text : `${text.slice(0, maxTextLength)}\n… (${text.length} characters)`
}
