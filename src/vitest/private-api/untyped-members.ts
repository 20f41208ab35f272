import type { ExpectStatic, RunnerTestCase } from 'vitest'
import type { Reporter, TestSpecification, Vitest } from 'vitest/node'
import { memberOf } from '../../system/text/parse-json.ts'

// Members of Vitest that are missing in its types. Checked with Vitest 4.1.12 and 5.1.1.

export function reportersOf(vitest: Vitest): readonly Reporter[] {
  const reporters: unknown = Reflect.get(vitest, 'reporters')
  return Array.isArray(reporters) ? reporters : []
}

export function startOf(vitest: Vitest): { readonly isFirst: boolean; readonly files: readonly string[] } {
  const files: unknown = Reflect.get(vitest, 'filenamePattern')
  return { isFirst: Reflect.get(vitest, 'restartsCount') === 1, files: Array.isArray(files) ? files : [] }
}

/** Number of workers that the user has set by configuration, flag or environment. `undefined` if not set. */
export function givenWorkers({ config }: Pick<Vitest, 'config'>): number | undefined {
  if (Reflect.get(config, 'fileParallelism') === false) return 1
  // Vitest 5 fills in a number of its own. If the user has set a number, `providedOptions.maxWorkers` is `true`.
  const given: unknown = Reflect.get(config, 'providedOptions')
  const isOwnChoice = typeof given === 'object' && given !== null && Reflect.get(given, 'maxWorkers') !== true
  return isOwnChoice ? undefined : config.maxWorkers
}

export function selectLines(specification: Pick<TestSpecification, 'testLines'>, lines: readonly number[]): void {
  Reflect.set(specification, 'testLines', [...lines])
}

/** Keeps modules out of Vitest's cache of transformed files. The function has one name in Vitest 4, another in 5. */
export function keepUncached(context: object, isUncached: (id: string) => boolean): void {
  const define: unknown =
    Reflect.get(context, 'defineCacheKeyGenerator') ?? Reflect.get(context, 'experimental_defineCacheKeyGenerator')
  if (typeof define === 'function') define(({ id }: { id: string }) => (isUncached(id) ? false : undefined))
}

/** Resets a test's snapshots when mdtest retries a scenario, as Vitest does when it retries a test. */
export function restartSnapshots({ id }: Pick<RunnerTestCase, 'id'>, expect: Pick<ExpectStatic, 'getState'>): void {
  const state: { clearTest?(id: string): void } | undefined = Reflect.get(expect.getState(), 'snapshotState')
  state?.clearTest?.(id)
}

export function lineOfRollupError(error: unknown): number | undefined {
  const line = memberOf(memberOf(memberOf(error, '__vitest_rollup_error__'), 'loc'), 'line')
  return typeof line === 'number' ? line : undefined
}

export function isSinceLastRun({ config }: Pick<Vitest, 'config'>): boolean {
  return Reflect.get(config, 'sinceLastRun') === true
}

type Specifications = readonly TestSpecification[]

/** Lets `choose` decide which test files run. Called after Vitest has kept the files that changes affect. */
export function afterSourceFilter(
  vitest: Vitest,
  choose: (all: Specifications, kept: Specifications) => Promise<Specifications>,
): void {
  const owner: unknown = Reflect.get(vitest, 'specifications')
  const filter = memberOf(owner, 'filterTestsBySource')
  if (typeof owner !== 'object' || owner === null || typeof filter !== 'function') return
  Reflect.set(owner, 'filterTestsBySource', async (all: Specifications) => choose(all, await filter.call(owner, all)))
}
