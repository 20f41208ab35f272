/** The work that was timed is not the work that was meant: its time says nothing. */
export class WrongCount extends Error {
  override name = 'WrongCount'
}

interface Counts {
  readonly expected: unknown
  readonly actual: unknown
  /** Shown with a wrong count. */
  readonly details?: string
}

/** @throws {WrongCount} */
export function assertCount(what: string, { expected, actual, details = '' }: Counts): void {
  if (actual === expected) return
  throw new WrongCount(`wrong count: ${what}: expected ${expected}, got ${actual}\n${details}`.trimEnd())
}
