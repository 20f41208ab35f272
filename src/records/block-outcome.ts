export interface Comparisons {
  /** Snapshots and expected outputs that this run wrote: new ones, or changed ones that the user accepted. */
  readonly written: number
  /** Assertions that were checked: existing expectations that could have failed, and other assertions. */
  readonly held: number
}

export interface BlockOutcome {
  readonly role: 'run' | 'verify' | 'file'
  /** `skipped`: the block ended with exit code 80, which skips the rest of the scenario. */
  readonly status: 'pass' | 'fail' | 'timeout' | 'skipped'
  readonly message: string
  readonly line: number
  readonly file?: string
  /** For a pass: always set for a module, for other blocks only if their expected output is rewritten. */
  readonly comparisons?: Comparisons
  readonly isRecorded?: true
  /** For a failure: all commands succeeded, and only their output differs from the expected output. */
  readonly isOutputOnly?: true
  /** For a failure: the block itself is broken, or may be, so it says nothing about the product. */
  readonly isBroken?: true
  /** For a failure of a recorded block: what does not match, in a word or two, such as `control missing`. */
  readonly cause?: string
  /** For a failure: something that mdtest itself needs is missing, so it says nothing about the product. */
  readonly blockedBy?: 'BROWSER_UNAVAILABLE' | 'LOGIN_FAILED'
}
