export interface Comparisons {
  /** Number of expectations that this run wrote or rewrote. */
  readonly written: number
  /** Number of all other assertions. Only these assertions could have failed. */
  readonly held: number
}

export interface BlockOutcome {
  readonly role: 'run' | 'verify' | 'file'
  /** `skipped`: the block ended with exit code 80, which skips the rest of the scenario. */
  readonly status: 'pass' | 'fail' | 'timeout' | 'skipped'
  readonly message: string
  readonly line: number
  readonly file?: string
  /** Set for each module that passes, and for other blocks whose expected output is to be rewritten. */
  readonly comparisons?: Comparisons
  readonly isRecorded?: true
  /** For a failure: all commands succeeded, but their output differs from the expected output. */
  readonly isOutputOnly?: true
  /** For a failure: the block itself is or may be broken, so the failure says nothing about the product. */
  readonly isBroken?: true
  /** For a failure of a recorded block: names what does not match, in a word or two, such as `control missing`. */
  readonly cause?: string
  /** For a failure: mdtest itself lacks a browser or a login, so the failure says nothing about the product. */
  readonly blockedBy?: 'BROWSER_UNAVAILABLE' | 'LOGIN_FAILED'
}
