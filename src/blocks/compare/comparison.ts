import type { Redact } from '../../system/redaction/redact-texts.ts'
import type { BlockUpdate } from '../block-finding.ts'
import type { LineComparison } from '../expected-output/compare-lines.ts'
import type { OutputForm } from '../expected-output/parse-expected.ts'
import type { Output, OutputReading } from '../expected-output/output-lines.ts'

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
  /** The exit code is right. */
  readonly isOutputOnly?: true
}

/** A stream and what became of its comparison. */
export interface StreamResult {
  readonly stream: ComparedStream
  readonly actual: Output
  readonly result: LineComparison
}
