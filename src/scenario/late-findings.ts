import { lineOf, type Step } from '../spec/spec.ts'
import type { Outcome } from '../records/outcome.ts'
import type { Reason, Verdict } from '../verdict/verdict.ts'

/** A reason that no test of a step has shown. */
export interface LateFinding extends Reason {
  readonly line: number
}

/** What became known of a step after it was settled: its final verdict is worse. */
export function lateFindings(step: Step, settled: Verdict, final: Verdict): readonly LateFinding[] {
  if (!isWorse(final, settled)) return []
  return final.reasons.map(({ code, message, line, file }) => ({
    code,
    ...lineOf(line === undefined ? step : { line, file }),
    message: `After step "${step.title}" had been settled as \`${settled.outcome}\`: ${message}`,
  }))
}

/** Whether the outcome of the one is worse: a failure, else blocked. */
export function isWorse(one: Pick<Verdict, 'outcome'>, other: Pick<Verdict, 'outcome'>): boolean {
  return ranks[one.outcome] > ranks[other.outcome]
}

const ranks: Readonly<Record<Outcome, number>> = { pass: 0, skipped: 0, blocked: 1, fail: 2 }
