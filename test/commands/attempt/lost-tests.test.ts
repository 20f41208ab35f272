import { expect, test } from 'vitest'
import { findLostTests, type LostTests, type RunsToCompare } from '../../../src/commands/attempt/attempt.ts'

const [adds, doubles, serves] = [{ name: 'adds' }, { name: 'doubles' }, { name: 'serves at localhost:4711' }]
const all = (...tests: { readonly name: string }[]): RunsToCompare['after'] => ({ tests, areAll: true })
const some = (...tests: { readonly name: string }[]): RunsToCompare['after'] => ({ tests, areAll: false })
const file = 'sum.test.ts'
const broken = { name: file, file }
const oneIsSkipped = { tests: [{ name: 'a', file }], areAll: true, skipped: [{ name: 'b', file }] }
const [one, other] = [{ name: 'a 1' }, { name: 'a 2' }]
const same = { before: [adds, doubles], after: all(adds, doubles), counts: {}, areTestsAdded: false }

test.for<readonly [string, Partial<RunsToCompare>, Partial<LostTests> | undefined]>([
  ['the same tests ran', {}, undefined],
  ['more tests ran', { after: all(adds, doubles, serves), counts: { before: 2, after: 3 } }, undefined],
  ['a name is another one in each run', { before: [adds, one], after: all(adds, other), unstable: 1 }, undefined],
  ['a name is another one since', { before: [adds, one], after: all(adds, other), unstable: 0 }, { missing: [one] }],
  [
    'more names are other ones than from run to run',
    { before: [adds, one], after: all(doubles, other), unstable: 1 },
    { missing: [adds, one] },
  ],
  [
    'names differ from run to run, and one of them is gone',
    { before: [adds, one], after: all(adds), unstable: 1 },
    { missing: [one] },
  ],
  ['of a file that could not load one is skipped', { before: [broken], after: oneIsSkipped }, { missing: [broken] }],
  ['one is gone', { after: all(adds) }, { missing: [doubles] }],
  ['not all names are told, and nobody counts', { after: some(adds) }, undefined],
  [
    'nothing is told any more',
    { after: some(), counts: { before: 2 } },
    { words: 'Of 2 tests none was seen to be executed afterwards' },
  ],
  [
    'fewer ran of those without names',
    { after: some(), counts: { before: 2, after: 1 } },
    { words: 'Of 2 tests only 1 were executed afterwards' },
  ],
  [
    'tests were added, and ran',
    { areTestsAdded: true, after: all(adds, doubles, serves), counts: { before: 2, after: 3 } },
    undefined,
  ],
  [
    'tests were added, and no more ran',
    { areTestsAdded: true, counts: { before: 2, after: 2 } },
    { words: 'Tests were added, and still only 2 were executed' },
  ],
])('%s', ([, change, lost]) => {
  const found = findLostTests({ ...same, ...change })
  if (lost === undefined) expect(found).toBeUndefined()
  else expect(found).toMatchObject(lost)
})
