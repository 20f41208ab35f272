import { lineOf, type Step } from '../spec/spec.ts'
import type { Outcome, Reason, Verdict } from '../verdict/verdict.ts'

/** A reason that no test of a step has shown. */
export interface LateFinding extends Reason {
  readonly line: number
}

const ranks: Readonly<Record<Outcome, number>> = { pass: 0, skipped: 0, blocked: 1, fail: 2 }

/** What became known of a step after it was settled: its final verdict is worse. */
export function lateFindings(step: Step, settled: Verdict, final: Verdict): readonly LateFinding[] {
  if (ranks[final.outcome] <= ranks[settled.outcome]) return []
  return final.reasons.map(({ code, message, line, file }) => ({
    code,
    ...lineOf(line === undefined ? step : { line, file }),
    message: `After step "${step.title}" had been settled as \`${settled.outcome}\`: ${message}`,
  }))
}
