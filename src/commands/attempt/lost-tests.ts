import { missingTests, type ExecutedTests } from '../../test-runners/executed-tests.ts'
import type { NamedTest } from '../../test-runners/runner.ts'

export interface RunsToCompare {
  readonly before: readonly NamedTest[]
  readonly after: ExecutedTests
  readonly counts: { readonly before?: number | undefined; readonly after?: number | undefined }
  readonly areTestsAdded: boolean
}

/** Why the tests of an attempt are not those of before it. */
export type LostTests =
  /** Not as many were executed; none was seen where `after` is absent. */
  | { readonly kind: 'fewer'; readonly before: number; readonly after?: number | undefined }
  /** New tests come on top of the old ones: as many as before means that old ones were left out. */
  | { readonly kind: 'no-more'; readonly after: number }
  | { readonly kind: 'missing'; readonly missing: readonly NamedTest[] }

/**
 * The tests that an attempt took away, even if others ran in their place; `undefined` where it took none. Names are compared
 * where the results tell all of them, numbers else. Pure.
 */
export function findLostTests({ before, after, counts, areTestsAdded }: RunsToCompare): LostTests | undefined {
  const { before: old, after: now } = counts
  if (old !== undefined && old > 0 && (now === undefined || now < old))
    return { kind: 'fewer', before: old, after: now }
  if (old !== undefined && areTestsAdded && now === old) return { kind: 'no-more', after: now }
  const missing = after.areAll ? missingTests(before, after.tests) : []
  return missing.length > 0 ? { kind: 'missing', missing } : undefined
}
