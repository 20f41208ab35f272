import type { Redact } from '../../system/redaction/redact-texts.ts'
import type { BlockFinding, BlockUpdate } from '../block-finding.ts'
import type { LineComparison } from '../expected-output/compare-lines.ts'
import type { OutputForm } from '../expected-output/parse-expected.ts'
import type { Output } from '../expected-output/output-lines.ts'

export interface Comparison {
  /** Name of the command in messages, for example `` `npm test` ``. */
  readonly what: string
  readonly redact: Redact
  readonly line: number
  readonly failure?: string | undefined
  readonly expectedExitCode: number
  readonly actualExitCode: number
  readonly streams: readonly ComparedStream[]
  /** Shown if the exit code is wrong, but not for a stream with a shown difference. `stdout`: also merged streams. */
  readonly printed: { readonly stdout: string; readonly stderr: string; readonly isPartUnstarted?: boolean }
  /** Receives the captures of the output if everything is as expected. */
  readonly captures: Map<string, string>
  readonly update?: BlockUpdate | undefined
}

export interface ComparedStream {
  readonly name: string
  readonly expected: readonly string[]
  readonly printed: string
  readonly form: OutputForm
  readonly line: number
  readonly fenceLine: number
  /** The expected lines. In a transcript, also the exit code and the blank lines that follow. */
  readonly source: readonly string[]
}

export type Difference = Pick<BlockFinding, 'message' | 'isOutputOnly' | 'isBroken'> & { readonly line: number }

export interface StreamResult {
  readonly stream: ComparedStream
  readonly actual: Output
  readonly result: LineComparison
}
