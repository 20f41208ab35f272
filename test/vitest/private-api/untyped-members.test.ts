import { describe, expect, test } from 'vitest'
import type { Vitest } from 'vitest/node'
import {
  givenWorkers,
  keepUncached,
  lineOfRollupError,
  reportersOf,
  restartSnapshots,
  selectLines,
  startOf,
} from '../../../src/vitest/private-api/untyped-members.ts'

/** A Vitest with these members alone. */
const vitestWith = (members: object): Vitest => members as Vitest // nothing else is looked at

test.each<readonly [what: string, config: object, workers: number | undefined]>([
  ['a number, Vitest 4', { maxWorkers: 3 }, 3],
  ['no number, Vitest 4', { maxWorkers: undefined }, undefined],
  ['files one by one', { fileParallelism: false, maxWorkers: 8 }, 1],
  ['a number, Vitest 5', { maxWorkers: 3, providedOptions: { maxWorkers: true } }, 3],
  ["Vitest 5's own number", { maxWorkers: 7, providedOptions: {} }, undefined],
  ["Vitest 5's own number beside another option", { maxWorkers: 7, providedOptions: { pool: true } }, undefined],
  ['files one by one, Vitest 5', { fileParallelism: false, maxWorkers: 1, providedOptions: {} }, 1],
])('how many workers the user wants: %s', (_what, config, workers) => {
  expect(givenWorkers(vitestWith({ config }))).toBe(workers)
})

describe('a Vitest that is not as expected', () => {
  test.each([[undefined], [null], ['default'], [{ length: 1 }]])('has no reporters where they are %j', (reporters) => {
    expect(reportersOf(vitestWith({ reporters }))).toEqual([])
  })

  test.each([
    [{}, { isFirst: false, files: [] }],
    [
      { restartsCount: 1, filenamePattern: ['a.test.md'] },
      { isFirst: true, files: ['a.test.md'] },
    ],
    [
      { restartsCount: 2, filenamePattern: [] },
      { isFirst: false, files: [] },
    ],
  ])('%j starts as %j', (members, start) => expect(startOf(vitestWith(members))).toEqual(start))

  test.each([
    [undefined, undefined],
    ['no object', undefined],
    [new Error('x'), undefined],
    [{ __vitest_rollup_error__: null }, undefined],
    [{ __vitest_rollup_error__: { loc: { line: '7' } } }, undefined],
    [{ __vitest_rollup_error__: { loc: { line: 7 } } }, 7],
  ])('the line of the syntax error %j is %j', (error, line) => expect(lineOfRollupError(error)).toBe(line))

  test('has no snapshots to begin again, and no cache to keep modules from', () => {
    const expectWith = (state: object): Parameters<typeof restartSnapshots>[1] => ({ getState: () => state as never }) // as above
    for (const state of [{}, { snapshotState: undefined }, { snapshotState: {} }])
      expect(() => restartSnapshots({ id: '1' }, expectWith(state))).not.toThrow()
    expect(() => keepUncached({ defineCacheKeyGenerator: 'gone' }, () => true)).not.toThrow()
  })
})

test.each(['defineCacheKeyGenerator', 'experimental_defineCacheKeyGenerator'])(
  'our modules have no key in a cache, and others have that of Vitest: %s',
  (name) => {
    const keys: unknown[] = []
    const define = (keyOf: (module: { id: string }) => unknown): void => {
      keys.push(keyOf({ id: 'a.test.md' }), keyOf({ id: 'b.ts' }))
    }
    keepUncached({ [name]: define }, (id) => id.endsWith('.md'))
    expect(keys).toEqual([false, undefined])
  },
)

test('lines of tests are a list of their own', () => {
  const specification: { testLines: number[] | undefined } = { testLines: undefined }
  const lines = [3, 9]
  selectLines(specification, lines)
  lines.push(1)
  expect(specification.testLines).toEqual([3, 9])
})
