/** Why a step is not simply passed. */
export interface RecordedReason {
  readonly code: string
  readonly message: string
  /** What did not fit of a recording, in a word or two: `wording changed`. */
  readonly cause?: string
  readonly line?: number
  /** Path of the included file that the line is in, as `spec`; absent where it is in the spec itself. */
  readonly file?: string
}
