import type { StepEvidence, Verdict } from './verdict.ts'

/** Whether a step has failed and leaves those after it as they are. A block that took too long has cost the shell. */
export function isContained(
  { isIndependent, blocks }: Pick<StepEvidence, 'isIndependent' | 'blocks'>,
  { outcome }: Verdict,
): boolean {
  return isIndependent === true && outcome === 'fail' && blocks.every(({ status }) => status !== 'timeout')
}
