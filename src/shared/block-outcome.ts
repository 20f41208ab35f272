/** What became of one executed block. */
export interface BlockOutcome {
  readonly role: 'run' | 'verify' | 'file'
  /** `skipped`: it asked for the rest of the scenario to be skipped, by exit code 80. */
  readonly status: 'pass' | 'fail' | 'timeout' | 'skipped'
  /** What was expected and what came; empty on a pass. */
  readonly message: string
  /** Markdown line of the first difference, else of the block. */
  readonly line: number
  /** For a diff in reports. */
  readonly expected?: string
  readonly actual?: string
}
