import type { StepReport, StepResult } from '../result-log/result-log.ts'

/**
 * Refused reports that speak against the accepted ones: the same step with another result, or a step that nobody knows
 * and that did not pass. A mistake that the agent put right, or a report sent twice, speaks against nothing; and a
 * refused report never stands in for one that is missing.
 */
export function contestedReports(
  accepted: readonly StepReport[],
  refused: readonly StepReport[],
  steps: readonly string[],
): readonly StepReport[] {
  return refused.filter((report) => {
    const counted = accepted.find(({ id }) => id === report.id)
    if (counted !== undefined) return resultOf(counted) !== resultOf(report)
    return !steps.includes(report.id) && report.status !== 'pass'
  })
}

/** Words may differ, results may not. */
function resultOf({ status, checks = [] }: StepResult): string {
  const results = checks.map((check) => `${check.n ?? ''}@${check.line ?? ''} ${check.status}`)
  return [status, ...results.toSorted()].join('\n')
}
