import type { Step } from '../spec/spec.ts'
import type { Verdict } from '../verdict/verdict.ts'
import { isPassable } from './is-passable.ts'

interface BlameContext {
  readonly steps: readonly Step[]
  readonly selected: ReadonlySet<number>
  verdictOn(step: Step): Verdict
}

/**
 * A step behind a failed one is skipped. When nobody reports the failed one, because a filter left it out, the
 * skipped step fails in its place: else the run would be green. One that a block skipped did not fail.
 */
export function blame(step: Step, { steps, selected, verdictOn }: BlameContext): Verdict {
  const verdict = verdictOn(step)
  if (verdict.outcome !== 'skipped' || isPassable(verdict)) return verdict
  const culprit = steps.find((other) => other.ordinal < step.ordinal && !isPassable(verdictOn(other)))
  if (!culprit || selected.has(culprit.ordinal)) return verdict
  const { reasons, outcome } = verdictOn(culprit)
  if (outcome === 'skipped') return verdict
  const note = `Step "${culprit.title}" has to run before this one and did not pass.`
  return { outcome, reasons: reasons.map((reason) => ({ ...reason, message: `${note} ${reason.message}` })) }
}
