import { missingTests } from '../../../test-runners/executed-tests.ts'
import type { NamedTest, RunnerResults } from '../../../test-runners/runner.ts'
import { findLostTests, type LostTests } from '../../attempt/lost-tests.ts'
import type { GateRun, GateRuns } from './run-gates.ts'

/** Why the tests that a green test gate executed are not those of before; `undefined` where they are, or it is not green. */
export function lostTests(
  before: GateRuns,
  { current, areTestsAdded }: { readonly current: GateRuns; readonly areTestsAdded: boolean },
): string | undefined {
  const { test } = current
  if (test?.isPass !== true && test?.isIdle !== true) return undefined
  const lost = findLostTests({
    before: before.test?.known ?? [],
    after: test.executed,
    counts: { before: executedCount(before.test?.results), after: executedCount(test.results) },
    areTestsAdded,
  })
  return lost && describeLost(lost)
}

function executedCount(results: RunnerResults | undefined): number | undefined {
  return results?.counts ? results.counts.total - results.counts.skipped : undefined
}

function describeLost(lost: LostTests): string {
  switch (lost.kind) {
    case 'fewer':
      return lost.after === undefined
        ? `Of ${lost.before} tests none was seen to be executed afterwards`
        : `Of ${lost.before} tests only ${lost.after} were executed afterwards`
    case 'no-more':
      return `Tests were added, and still only ${lost.after} were executed`
    case 'missing': {
      const others = lost.missing.length === 1 ? '' : ` and ${lost.missing.length - 1} more`
      return `Tests that were executed before were not executed any more: \`${lost.missing[0]?.name}\`${others}`
    }
    default:
      return lost satisfies never
  }
}

/** Tests that are known by their names, from the first run on until one tells all of them. */
export function knownTests(run: GateRun, before: GateRun | undefined): Pick<GateRun, 'known' | 'areAllKnown'> {
  const { tests, areAll } = run.executed
  if (before === undefined) return { known: tests, areAllKnown: areAll }
  if (before.areAllKnown === true) return { known: before.known ?? [], areAllKnown: true }
  const old: readonly NamedTest[] = before.known ?? []
  return { known: [...old, ...missingTests(tests, old)], areAllKnown: areAll }
}
