/** Which state of the project was run. */
export interface Revision {
  readonly commit: string
  readonly branch?: string
  /** Tracked files are not as they are in the commit. */
  readonly isModified?: true
}

/** What a report tells of a run apart from its specs. */
export interface RunRecord {
  /** ISO 8601 UTC. */
  readonly startedAt: string
  /** Absent where the run did not come to its end, or not yet. */
  readonly endedAt?: string
  /** From start to end of what was run, idle time of watch mode left out. Absent where results were merged. */
  readonly wallTimeMs?: number
  /** Absent without git. */
  readonly revision?: Revision
  /** How many specs were to be run. */
  readonly specs: number
  /** Tests that are no specs. */
  readonly otherTests: { readonly pass: number; readonly fail: number; readonly skipped: number }
  /** Errors outside of any test file. */
  readonly errors: readonly string[]
}
