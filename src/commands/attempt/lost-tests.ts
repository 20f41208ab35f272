import { missingTests } from '../../test-runners/executed-tests.ts'
import type { NamedTest } from '../../test-runners/runner.ts'

/** What two runs of the tests told, before an attempt and after it. */
export interface RunsToCompare {
  /** Tests that were executed before, as far as they are known by name. */
  readonly before: readonly NamedTest[]
  readonly after: {
    readonly tests: readonly NamedTest[]
    /** Whether these are all that were executed. */
    readonly areAll: boolean
  }
  /** How many tests were executed. Default: they are not compared by number. */
  readonly counts?: { readonly before: number; readonly after: number } | undefined
  /** Whether the attempt added tests. */
  readonly areTestsAdded: boolean
  /** Whether names decide, too: they cannot where nothing ever tells them. */
  readonly isByName: boolean
}

/** Why the tests of an attempt are not those of before it. */
export type LostTests =
  /** Not as many were executed. */
  | { readonly kind: 'fewer'; readonly before: number; readonly after: number }
  /** New tests come on top of the old ones: as many as before means that old ones were left out. */
  | { readonly kind: 'no-more'; readonly after: number }
  /** Not all names are told, so some may be gone; `missing` are those known that are not told. */
  | { readonly kind: 'untold'; readonly missing: readonly NamedTest[] }
  /** These were not executed any more. At least one. */
  | { readonly kind: 'missing'; readonly missing: readonly NamedTest[] }

/** The tests that an attempt took away, even if others ran in their place; `undefined` where it took none. Pure. */
export function findLostTests(runs: RunsToCompare): LostTests | undefined {
  const { before, after, counts, areTestsAdded, isByName } = runs
  if (counts !== undefined && counts.after < counts.before) return { kind: 'fewer', ...counts }
  if (counts !== undefined && areTestsAdded && counts.after === counts.before) {
    return { kind: 'no-more', after: counts.after }
  }
  if (!isByName) return undefined
  const missing = missingTests(before, after.tests)
  if (!after.areAll) return { kind: 'untold', missing }
  return missing.length > 0 ? { kind: 'missing', missing } : undefined
}
