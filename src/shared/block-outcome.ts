/** What became of one executed block. */
export interface BlockOutcome {
  readonly role: 'run' | 'verify' | 'file'
  readonly status: 'pass' | 'fail' | 'timeout'
  /** What was expected and what came; empty on a pass. */
  readonly message: string
  /** Markdown line of the first difference, else of the block. */
  readonly line: number
  /** For a diff in reports. */
  readonly expected?: string
  readonly actual?: string
}
