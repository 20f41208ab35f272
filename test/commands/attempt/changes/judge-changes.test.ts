import { expect, test } from 'vitest'
import { describeLeftOut, judgesWritten } from '../../../../src/commands/attempt/changes/judge-changes.ts'

test.each([
  ['a test', 'test/sum.test.ts', true, false],
  ['what a test compares with', 'src/__snapshots__/a.snap', true, false],
  ['a snapshot of another kind', 'out.approved.txt', true, false],
  ['configuration', 'vitest.config.ts', true, true],
  ['what git ignores', '.gitignore', true, true],
  ['a helper of tests', 'tools/check.ts', true, false],
  ['the text of a helper', 'tools/notes.md', false, false],
  ['a source, which a linter mends', 'src/sum.ts', false, false],
  ['what a run leaves', 'coverage/index.html', false, false],
])('%s that was written to counts: %#', (_, path, asChanged, asAdded) => {
  expect(judgesWritten({ changed: [path], added: [] })).toEqual(asChanged ? [path] : [])
  expect(judgesWritten({ changed: [], added: [path] })).toEqual(asAdded ? [path] : [])
})

test('what was left out is told with its reason', () => {
  expect(describeLeftOut([])).toBe('')
  expect(
    describeLeftOut([
      { path: 'a,b.ts', reason: 'is new' },
      { path: 'ü', reason: 'is a link' },
    ]),
  ).toBe('a,b.ts (is new), ü (is a link)')
})
