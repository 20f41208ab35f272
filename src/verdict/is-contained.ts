import type { StepEvidence, Verdict } from './verdict.ts'

/** What an agent can go on after: it found the product wrong, or a block did, and nothing stands in its way. */
const ofTheProduct: readonly string[] = ['VERIFY_FAILED', 'STEP_FAILED', 'CHECK_FAILED']

/** Whether the steps after a failed one can be tried. A block that took too long has cost the shell. */
export function isContained(
  { actor, blocks }: Pick<StepEvidence, 'actor' | 'blocks'>,
  { outcome, reasons }: Verdict,
): boolean {
  if (outcome !== 'fail' || blocks.some(({ status }) => status === 'timeout')) return false
  return actor !== 'agent' || reasons.every(({ code }) => ofTheProduct.includes(code))
}

/** A step that was left out does not stop the ones after it. */
export function isPassable({ outcome, reasons }: Verdict): boolean {
  return outcome === 'pass' || (outcome === 'skipped' && reasons.length === 0)
}
