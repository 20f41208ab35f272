import { describeMissing, missingTests } from '../../../test-runners/executed-tests.ts'
import type { NamedTest } from '../../../test-runners/runner.ts'
import type { GateConfig } from '../../project-config/gate-config.ts'
import type { GateRun } from './run-gate.ts'
import type { GateRuns } from './run-gates.ts'

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
  if (test?.isPass !== true) return undefined
  const told = lostByNumber(before.test, test, areTestsAdded)
  if (told !== undefined) return told
  if (config.commands.test?.hasNames === false) return undefined
  const { tests, areAll } = test.executed
  const missing = missingTests(before.test?.known ?? [], tests)
  const reason = describeMissing(missing, areAll)
  return areAll || reason === undefined ? reason : `${reason} (${wayOut})`
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

/** By these alone where no names are told. */
function lostByNumber(old: GateRun | undefined, now: GateRun, areTestsAdded: boolean): string | undefined {
  const [before, after] = [old?.results.counts, now.results.counts]
  if (!before || !after) return undefined
  const [executed, left] = [before.total - before.skipped, after.total - after.skipped]
  if (left < executed) return `Of ${executed} tests only ${left} were executed afterwards`
  // New ones come on top of the old: as many as before means that old ones were left out.
  return areTestsAdded && left === executed ? `Tests were added, and still only ${left} were executed` : undefined
}
