import type { StepEvidence, Verdict } from './verdict.ts'

/** What an agent can go on after: it found the product wrong, or a block did, and nothing stands in its way. */
const ofTheProduct: readonly string[] = ['VERIFY_FAILED', 'STEP_FAILED', 'CHECK_FAILED']

/** Whether a row has failed and leaves the other rows of its table as they are. */
export function isContainedInTable(
  { table, actor, blocks }: Pick<StepEvidence, 'table' | 'actor' | 'blocks'>,
  verdict: Verdict,
): boolean {
  if (table === undefined || !isContained({ isIndependent: true, blocks }, verdict)) return false
  return actor !== 'agent' || verdict.reasons.every(({ code }) => ofTheProduct.includes(code))
}

/** Whether a step has failed and leaves those after it as they are. A block that took too long has cost the shell. */
export function isContained(
  { isIndependent, blocks }: Pick<StepEvidence, 'isIndependent' | 'blocks'>,
  { outcome }: Verdict,
): boolean {
  return isIndependent === true && outcome === 'fail' && blocks.every(({ status }) => status !== 'timeout')
}

/** A step that was left out does not stop the ones after it. */
export function isPassable({ outcome, reasons }: Verdict): boolean {
  return outcome === 'pass' || (outcome === 'skipped' && reasons.length === 0)
}
