import { expect, test } from 'vitest'
import { movesBetween, stashesBack, type GitState } from '../../../../src/commands/attempt/git/repository-state.ts'

const stashes = [{ id: 's1', message: 'On main: of the user' }]
const stand: GitState = {
  head: 'refs/heads/main',
  refs: { 'refs/heads/main': 'a', 'refs/tags/v1': 'b' },
  stashes,
}
const mine = { id: 's2', message: 'WIP on main: 12ab34c one' }
const others = { id: 's3', message: 'WIP on feature: 12ab34c one' }

test.for<[string, Partial<GitState>, readonly string[]]>([
  ['nothing', {}, []],
  ['a commit', { refs: { ...stand.refs, 'refs/heads/main': 'c' } }, ['refs/heads/main']],
  ['another branch', { head: 'refs/heads/x', refs: { ...stand.refs, 'refs/heads/x': 'a' } }, ['HEAD']],
  ['a tag that is gone', { refs: { 'refs/heads/main': 'a' } }, ['refs/tags/v1']],
  ['new branches and tags that moved are nobody’s loss', { refs: { ...stand.refs, 'refs/heads/y': 'c' } }, []],
  ['a stash', { stashes: [mine, ...stashes] }, ['refs/stash']],
  ['a stash that is gone', { stashes: [] }, ['refs/stash']],
  ['one of another work tree', { stashes: [others, ...stashes] }, []],
])('%s', ([, changed, moves]) => {
  expect(movesBetween(stand, { ...stand, ...changed })).toEqual(moves)
})

test('stashes of other work trees stay', () => {
  expect(stashesBack(stand, { ...stand, stashes: [mine, others] })).toEqual([others, ...stashes])
})
