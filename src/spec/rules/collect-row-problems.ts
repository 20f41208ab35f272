import type { Report, SpecRuleId } from './spec-rules.ts'
import type { Place } from '../spec.ts'

interface Found {
  readonly ruleId: SpecRuleId
  readonly place: Place
  readonly message: string
  /** Lines of the rows in which it was found. */
  readonly rows: number[]
}

/** Collects what is wrong with a step once for each row of its table, to report it once. */
export function collectRowProblems(report: Report): {
  /** Takes note of the problems of one row. */
  reportOf(rowLine: number): Report
  /** Reports each problem, and for which row where the others do not have it. */
  reportAll(): void
} {
  const found = new Map<string, Found>()
  let rowCount = 0
  return {
    reportOf(rowLine) {
      rowCount += 1
      return (ruleId, { line, column }, message) => {
        const key = JSON.stringify([ruleId, line, column, message])
        const problem = found.get(key) ?? { ruleId, place: { line, column }, message, rows: [] }
        found.set(key, problem)
        if (problem.rows.at(-1) !== rowLine) problem.rows.push(rowLine)
      }
    },
    reportAll() {
      for (const { ruleId, place, message, rows } of found.values()) {
        const isOfAll = rows.length === rowCount
        report(ruleId, place, isOfAll ? message : `${message} (With the values of line ${rows.join(', ')}.)`)
      }
    },
  }
}
