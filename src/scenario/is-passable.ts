import type { Verdict } from '../verdict/verdict.ts'

/** A step that was left out does not stop the ones after it. */
export function isPassable({ outcome, reasons }: Verdict): boolean {
  return outcome === 'pass' || (outcome === 'skipped' && reasons.length === 0)
}
