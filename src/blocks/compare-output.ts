import { compareLines, type LineComparison } from '../output/compare-lines.ts'
import { type Output, type OutputReading, readOutput } from '../output/output-lines.ts'
import type { OutputForm } from '../output/output-form.ts'
import type { Redact } from '../shared/redact-texts.ts'
import { acceptOutput } from './accept-output.ts'
import type { BlockUpdate } from './block-finding.ts'
import { describeStream } from './describe-stream.ts'

const maxTextLength = 64 * 1024

/** What a command was expected to do and what it did. */
export interface Comparison {
  /** For the message, for example `` `npm test` ``. */
  readonly what: string
  /** Takes secrets out of the message, after the comparison. */
  readonly redact: Redact
  /** Markdown line of the command, in a script of the one that failed. */
  readonly line: number
  /** What is said of that command beside a wrong exit code. */
  readonly failure?: string | undefined
  readonly expectedExitCode: number
  readonly actualExitCode: number
  /** Each stream that is compared. */
  readonly streams: readonly ComparedStream[]
  /** Shown when the exit code is wrong and no output is compared. */
  readonly tail?: string
  /** Values of names. What the output captures is added where all is as expected. */
  readonly captures: Map<string, string>
  /** Present where what differs is rewritten. */
  readonly update?: BlockUpdate | undefined
}

export interface ComparedStream {
  /** For the message: `output`, `stdout` or `stderr`. */
  readonly name: string
  /** Lines as written. */
  readonly expected: readonly string[]
  /** What the program printed. */
  readonly printed: string
  readonly reading?: OutputReading
  readonly form: OutputForm
  /** Markdown line of the first expected line. */
  readonly line: number
  /** Markdown line of the fence that holds them. */
  readonly fenceLine: number
  /** The lines and what belongs to them in a transcript: the exit code, and blank lines behind it. */
  readonly source: readonly string[]
}

/** How a command differs from what was expected. */
export interface Difference {
  readonly message: string
  readonly line: number
  readonly expected: string
  readonly actual: string
}

/** A stream and what became of its comparison. */
export interface StreamResult {
  readonly stream: ComparedStream
  readonly actual: Output
  readonly result: LineComparison
}

/** Undefined when exit code and all compared streams are as expected, or will be because they are rewritten. */
export function compareOutput(comparison: Comparison): Difference | undefined {
  const { what, redact, line, failure, expectedExitCode, actualExitCode, tail } = comparison
  const results = compareStreams(comparison)
  const isExitWrong = expectedExitCode !== actualExitCode
  if (!isExitWrong && results.every(({ result }) => result.status === 'match')) {
    for (const { result } of results) if (result.status === 'match') addAll(comparison.captures, result.captures)
    return undefined
  }
  const update = updateOutput(comparison, results)
  if (update.isDone) return undefined
  const streams = results.map((result) => describeStream(result, { what, redact }))
  const problems = streams.flatMap(({ problem }) => problem ?? [])
  const exitMessage = `${what} ended with exit code ${actualExitCode}, expected ${expectedExitCode}.`
  const parts = [
    ...(isExitWrong ? [[exitMessage, failure].filter((part) => part !== undefined).join(' ')] : []),
    ...problems.map(({ message }) => message),
    ...(problems.length === 0 && tail !== undefined && tail !== '' ? [tail] : []),
    ...(update.refusal === undefined ? [] : [update.refusal]),
  ]
  return {
    message: parts.join('\n\n'),
    line: (isExitWrong && failure !== undefined ? undefined : problems[0]?.line) ?? line,
    expected: toText(streams, 'expected', isExitWrong ? expectedExitCode : undefined),
    actual: toText(streams, 'actual', isExitWrong ? actualExitCode : undefined),
  }
}

/** In order: what one captures the next can recall. */
function compareStreams({ streams, captures }: Comparison): readonly StreamResult[] {
  const known = new Map(captures)
  return streams.map((stream) => {
    const actual = readOutput(stream.printed, stream.reading)
    const result = compareLines(stream.expected, actual, { captures: known, form: stream.form })
    if (result.status === 'match') addAll(known, result.captures)
    return { stream, actual, result }
  })
}

interface UpdateResult {
  readonly isDone: boolean
  readonly refusal?: string | undefined
}

function updateOutput(comparison: Comparison, results: readonly StreamResult[]): UpdateResult {
  const { update, captures } = comparison
  if (update === undefined) return { isDone: false }
  const accepted = acceptOutput(comparison, results)
  if (!accepted.ok) return { isDone: false, refusal: accepted.refusal && `Not rewritten: ${accepted.refusal}` }
  const refusal = accepted.rewrites.map((rewrite) => update.refuse(rewrite)).find((reason) => reason !== undefined)
  if (refusal !== undefined) return { isDone: false, refusal: `Not rewritten: ${refusal}` }
  update.rewrites.push(...accepted.rewrites)
  addAll(captures, accepted.captures)
  return { isDone: true }
}

function addAll(to: Map<string, string>, from: ReadonlyMap<string, string>): void {
  for (const [name, value] of from) to.set(name, value)
}

interface Sides {
  readonly name: string
  readonly expected: readonly string[]
  readonly actual: readonly string[]
}

/** As in a transcript, the exit code in brackets last. */
function toText(streams: readonly Sides[], side: 'expected' | 'actual', exitCode: number | undefined): string {
  const lines = streams.flatMap((stream) => [...(streams.length > 1 ? [`${stream.name}:`] : []), ...stream[side]])
  const text = [...lines, ...(exitCode === undefined ? [] : [`[${exitCode}]`])].join('\n')
  return text.length <= maxTextLength ? text : `${text.slice(0, maxTextLength)}\n… (${text.length} characters)`
}
