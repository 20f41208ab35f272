/** Thrown if a measure did other work than intended, so that its time is meaningless. */
export class WrongCount extends Error {
  override name = 'WrongCount'
}

interface Counts {
  readonly expected: unknown
  readonly actual: unknown
  readonly details?: string
}

/** @throws {WrongCount} */
export function assertCount(what: string, { expected, actual, details = '' }: Counts): void {
  if (actual === expected) return
  throw new WrongCount(`wrong count: ${what}: expected ${expected}, got ${actual}\n${details}`.trimEnd())
}
