/** The work that was timed is not the work that was meant: its time says nothing. */
export class WrongCount extends Error {
  name = 'WrongCount'
}

/**
 * @param {string} what
 * @param {{ expected: unknown, actual: unknown, details?: string }} counts `details` is shown with a wrong count
 * @throws {WrongCount}
 */
export function assertCount(what, { expected, actual, details = '' }) {
  if (actual === expected) return
  throw new WrongCount(`wrong count: ${what}: expected ${expected}, got ${actual}\n${details}`.trimEnd())
}
