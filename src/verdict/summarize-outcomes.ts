import type { Outcome } from '../records/outcome.ts'

const worstFirst: readonly Outcome[] = ['fail', 'blocked', 'pass', 'skipped']

/** The worst of several outcomes: fail, else blocked, else pass; skipped when all are, or there is none. */
export function summarizeOutcomes(outcomes: readonly Outcome[]): Outcome {
  return worstFirst.find((outcome) => outcomes.includes(outcome)) ?? 'skipped'
}
