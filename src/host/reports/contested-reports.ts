import type { StepReport, StepResult } from '../../records/result-log/result-log.ts'

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
    if (counted !== undefined) return contradicts(report, counted)
    return !steps.includes(report.id) && report.status !== 'pass'
  })
}

/** Words may differ, results may not. A check that the other one does not have is contested where it did not pass. */
function contradicts({ status, checks = [] }: StepResult, counted: StepResult): boolean {
  if (status !== counted.status) return true
  return checks.some((check) => {
    const other = counted.checks?.find(({ n, line }) => n === check.n && line === check.line)
    return check.status !== (other?.status ?? 'pass')
  })
}
