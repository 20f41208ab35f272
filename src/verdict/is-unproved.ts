import type { BlockOutcome } from '../records/block-outcome.ts'
import type { StepEvidence } from './verdict.ts'

/**
 * Whether all that blocks of a step were compared with was written by this run: new snapshots, accepted output. They
 * passed, and show nothing.
 */
export function isUnproved({ actor, blocks }: StepEvidence): boolean {
  const judging = blocks.filter(({ role, status }) => status === 'pass' && (actor === 'code' || role === 'verify'))
  if (!judging.some(({ comparisons }) => comparisons !== undefined && comparisons.written > 0)) return false
  return actor === 'code' ? !judging.some(hasHeld) : !judging.some(verifies)
}

/** Whether a block that passed shows something. */
export function verifies(block: BlockOutcome): boolean {
  return block.comparisons === undefined || block.comparisons.written === 0 || hasHeld(block)
}

function hasHeld({ comparisons }: BlockOutcome): boolean {
  return comparisons !== undefined && comparisons.held > 0
}
