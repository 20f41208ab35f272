import type { SpecResult } from '../../vitest/reporters/spec-results.ts'

/** `N passed, N failed[, N blocked][, N skipped]`, counting specs. */
export function summaryLine(specs: readonly SpecResult[]): string {
  const count = (outcome: SpecResult['outcome']): number => specs.filter((spec) => spec.outcome === outcome).length
  const rare = (['blocked', 'skipped'] as const).flatMap((outcome) =>
    // literals, not strings
    count(outcome) > 0 ? [`${count(outcome)} ${outcome}`] : [],
  )
  return [`${count('pass')} passed`, `${count('fail')} failed`, ...rare].join(', ')
}
