import { expect, test } from 'vitest'
import { findLostTests, type LostTests, type RunsToCompare } from '../../../src/commands/attempt/attempt.ts'

const [adds, doubles, serves] = [{ name: 'adds' }, { name: 'doubles' }, { name: 'serves at localhost:4711' }]
const all = (...tests: { readonly name: string }[]): RunsToCompare['after'] => ({ tests, areAll: true })
const some = (...tests: { readonly name: string }[]): RunsToCompare['after'] => ({ tests, areAll: false })
const same = { before: [adds, doubles], after: all(adds, doubles), counts: {}, areTestsAdded: false }

test.for<readonly [string, Partial<RunsToCompare>, Partial<LostTests> | undefined]>([
  ['the same tests ran', {}, undefined],
  ['they ran in another order', { after: all(doubles, adds) }, undefined],
  ['more tests ran', { after: all(adds, doubles, serves), counts: { before: 2, after: 3 } }, undefined],
  ['none was known before', { before: [], after: all(adds) }, undefined],
  [
    'a port in a name is another one',
    { before: [serves], after: all({ name: 'serves at localhost:4712' }) },
    undefined,
  ],
  [
    'a name is another one in each run',
    { before: [adds, { name: 'a 1' }], after: all(adds, { name: 'a 2' }), again: all(adds, { name: 'a 3' }) },
    undefined,
  ],
  [
    'a name is another one since',
    { before: [adds, { name: 'a 1' }], after: all(adds, { name: 'a 2' }), again: all(adds, { name: 'a 2' }) },
    { missing: [{ name: 'a 1' }] },
  ],
  ['one is gone', { after: all(adds) }, { missing: [doubles] }],
  ['another ran in its place', { after: all(adds, serves) }, { missing: [doubles] }],
  ['all are gone', { after: all() }, { missing: [adds, doubles] }],
  ['not all names are told, and nobody counts', { after: some(adds) }, undefined],
  [
    'nothing is told any more',
    { after: some(), counts: { before: 2 } },
    { words: 'Of 2 tests none was seen to be executed afterwards' },
  ],
  ['as many ran of those without names', { after: some(), counts: { before: 2, after: 2 } }, undefined],
  [
    'fewer ran of those without names',
    { after: some(), counts: { before: 2, after: 1 } },
    { words: 'Of 2 tests only 1 were executed afterwards' },
  ],
  [
    'fewer ran, and names tell it, too',
    { after: all(adds), counts: { before: 2, after: 1 } },
    { words: 'Of 2 tests only 1 were executed afterwards' },
  ],
  [
    'as many ran, of which another',
    { after: all(adds, serves), counts: { before: 2, after: 2 } },
    { missing: [doubles] },
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
  ['tests were added where nobody counts', { areTestsAdded: true }, undefined],
])('%s', ([, change, lost]) => {
  const found = findLostTests({ ...same, ...change })
  if (lost === undefined) expect(found).toBeUndefined()
  else expect(found).toMatchObject(lost)
})
