import type { ExpectStatic, RunnerTestCase } from 'vitest'
import type { Reporter, TestSpecification, Vitest } from 'vitest/node'

// Members of Vitest that its types leave out. Seen in Vitest 4.1.12 and 5.1.1.

/** The reporters that Vitest has created; none before. */
export function reportersOf(vitest: Vitest): readonly Reporter[] {
  const reporters: unknown = Reflect.get(vitest, 'reporters')
  return Array.isArray(reporters) ? reporters : []
}

/** Whether this is the first start of a Vitest that was given names of files. */
export function startOf(vitest: Vitest): { readonly isFirst: boolean; readonly hasFiles: boolean } {
  const files: unknown = Reflect.get(vitest, 'filenamePattern')
  return { isFirst: Reflect.get(vitest, 'restartsCount') === 1, hasFiles: Array.isArray(files) }
}

/** How many workers the user wants, by configuration, flag or environment; nothing where they leave it to Vitest. */
export function givenWorkers({ config }: Pick<Vitest, 'config'>): number | undefined {
  // Vitest turns it into a number of workers.
  if (Reflect.get(config, 'fileParallelism') === false) return 1
  // Vitest 5 fills in a number of its own and notes what was given; 4 leaves it open.
  const given: unknown = Reflect.get(config, 'providedOptions')
  const isOwnChoice = typeof given === 'object' && given !== null && Reflect.get(given, 'maxWorkers') !== true
  return isOwnChoice ? undefined : config.maxWorkers
}

/** Has Vitest run the tests at these lines alone; its types have the list read-only. */
export function selectLines(specification: Pick<TestSpecification, 'testLines'>, lines: readonly number[]): void {
  Reflect.set(specification, 'testLines', [...lines])
}

/** Keeps modules out of Vitest's cache of transformed files, by the hook's context. Vitest 4 has an older name for it. */
export function keepUncached(context: object, isUncached: (id: string) => boolean): void {
  const define: unknown =
    Reflect.get(context, 'defineCacheKeyGenerator') ?? Reflect.get(context, 'experimental_defineCacheKeyGenerator')
  if (typeof define === 'function') define(({ id }: { id: string }) => (isUncached(id) ? false : undefined))
}

/** A retry of a scenario compares with the same snapshots again. Vitest does this for the test that it runs. */
export function restartSnapshots({ id }: Pick<RunnerTestCase, 'id'>, expect: Pick<ExpectStatic, 'getState'>): void {
  const state: { clearTest?(id: string): void } | undefined = Reflect.get(expect.getState(), 'snapshotState')
  state?.clearTest?.(id)
}

/** The line at which a module has an error of syntax, as Rollup told Vitest. */
export function lineOfRollupError(error: unknown): number | undefined {
  const line = memberOf(memberOf(memberOf(error, '__vitest_rollup_error__'), 'loc'), 'line')
  return typeof line === 'number' ? line : undefined
}

/** A member of what may be no object. */
export function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
