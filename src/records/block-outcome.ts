export interface Comparisons {
  /** Number of expectations that this run wrote or changed. */
  readonly written: number
  /** Number of all other assertions. Only these could fail. */
  readonly held: number
}

export interface BlockOutcome {
  readonly role: 'run' | 'verify' | 'file'
  /** `skipped`: the block ended with exit code 80, which skips the rest of the scenario. */
  readonly status: 'pass' | 'fail' | 'timeout' | 'skipped'
  readonly message: string
  readonly line: number
  readonly file?: string
  /** Set for each passed module, and for other blocks if their expected output must be rewritten. */
  readonly comparisons?: Comparisons
  readonly isRecorded?: true
  /** Set for a failure if all commands succeeded and only their output differs from what was expected. */
  readonly isOutputOnly?: true
  /** Set for a failure if the block itself may be broken. The failure then says nothing about the product. */
  readonly isBroken?: true
  /** Set for a failure of a recorded block: one or two words for what does not match, such as `control missing`. */
  readonly cause?: string
  /** Set for a failure if mdtest lacks a browser or a login. The failure then says nothing about the product. */
  readonly blockedBy?: 'BROWSER_UNAVAILABLE' | 'LOGIN_FAILED'
}
