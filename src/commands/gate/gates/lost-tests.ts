import { missingTests } from '../../../test-runners/executed-tests.ts'
import type { NamedTest, RunnerResults } from '../../../test-runners/runner.ts'
import { findLostTests, type LostTests } from '../../attempt/lost-tests.ts'
import type { GateConfig } from '../../project-config/gate-config.ts'
import type { GateRun, GateRuns } from './run-gates.ts'

/** Why the tests that a green test gate executed are not those of before; `undefined` where they are, or it is not green. */
export function lostTests(
  before: GateRuns,
  {
    current,
    areTestsAdded,
    config,
  }: {
    readonly current: GateRuns
    readonly areTestsAdded: boolean
    readonly config: Pick<GateConfig, 'commands'>
  },
): string | undefined {
  const { test } = current
  if (test?.isPass !== true && test?.isIdle !== true) return undefined
  const [old, now] = [executedCount(before.test?.results), executedCount(test.results)]
  const lost = findLostTests({
    before: before.test?.known ?? [],
    after: test.executed,
    counts: old === undefined || now === undefined ? undefined : { before: old, after: now },
    areTestsAdded,
    isByName: config.commands.test?.hasNames !== false,
  })
  return lost && describeLost(lost)
}

function executedCount(results: RunnerResults | undefined): number | undefined {
  return results?.counts ? results.counts.total - results.counts.skipped : undefined
}

function describeLost(lost: LostTests): string {
  switch (lost.kind) {
    case 'fewer':
      return `Of ${lost.before} tests only ${lost.after} were executed afterwards`
    case 'no-more':
      return `Tests were added, and still only ${lost.after} were executed`
    case 'untold':
      return `The results do not tell all tests that were executed by their names (${wayOut})`
    case 'missing': {
      const others = lost.missing.length === 1 ? '' : ` and ${lost.missing.length - 1} more`
      return `Tests that were executed before were not executed any more: \`${lost.missing[0]?.name}\`${others}`
    }
    default:
      return lost satisfies never
  }
}

const wayOut =
  'in `mdtest.config.json`, let the test gate be `{ "runner": "…" }`, add `"junit": "FILE"` for a report that its command writes, or `"names": false` where its exit code alone is to decide'

/** Tests that are known by their names, from the first run on until one tells all of them. */
export function knownTests(run: GateRun, before: GateRun | undefined): Pick<GateRun, 'known' | 'areAllKnown'> {
  const { tests, areAll } = run.executed
  if (before === undefined) return { known: tests, areAllKnown: areAll }
  if (before.areAllKnown === true) return { known: before.known ?? [], areAllKnown: true }
  const old: readonly NamedTest[] = before.known ?? []
  return { known: [...old, ...missingTests(tests, old)], areAllKnown: areAll }
}
