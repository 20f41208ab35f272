export interface Comparisons {
  /** Snapshots and expected output that this run has written: new ones, and those that the user had accepted. */
  readonly written: number
  /** Those that stood before and that not all would have met, and other assertions. */
  readonly held: number
}

export interface BlockOutcome {
  readonly role: 'run' | 'verify' | 'file'
  /** `skipped`: it asked for the rest of the scenario to be skipped, by exit code 80. */
  readonly status: 'pass' | 'fail' | 'timeout' | 'skipped'
  readonly message: string
  readonly line: number
  readonly file?: string
  /** On a pass: of a module always, of other blocks where what they expect is rewritten. */
  readonly comparisons?: Comparisons
  readonly isRecorded?: true
  /** On a failure: all commands ended as they should, and only what they printed is not as expected. */
  readonly isOutputOnly?: true
  /** On a failure: the block itself is at fault, or nobody knows, which says nothing of the product. */
  readonly isBroken?: true
  /** On a failure of a block of a recording: what does not fit, in a word or two, such as `control missing`. */
  readonly cause?: string
  /** On a failure: what mdtest itself needs for it and has not, which says nothing of the product. */
  readonly blockedBy?: 'BROWSER_UNAVAILABLE' | 'LOGIN_FAILED'
}
