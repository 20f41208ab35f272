import { execFileSync } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openCheckpoints, type Checkpoints } from '../../../../src/commands/attempt/checkpoints/checkpoints.ts'
import { gitEnv } from '../../../support/project-files.ts'

const env = { ...process.env, ...gitEnv }

let root: string
/** What the user's own is at first. */
let before: string
const open = (): Promise<Checkpoints> =>
  openCheckpoints({
    root,
    folder: join(root, '.mdtest/c'),
    trees: { makeTempDir: () => mkdtempSync(join(root, '.mdtest/t')) },
    refPrefix: 'refs/mdtest/s',
    env,
  })
const sh = (script: string): string =>
  execFileSync('sh', ['-ec', script], { cwd: root, env, encoding: 'utf8', stdio: 'pipe' })
/** All that is the user's own. */
const read = (): string =>
  sh(`git symbolic-ref -q HEAD || git rev-parse HEAD; git for-each-ref refs/heads refs/tags
git stash list --format='%H %gs'; git ls-files -s; git status --short; cat a b c; ls .git | grep -iE 'merge_head|rebase' || true`)

/** A user has staged something, not all of it, and has stashes, branches and a tag. */
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'mdtest-snapshots-')))
  sh(`git init -qb main --template=; echo 1 >a; echo 1 >b; printf '.mdtest\n' >.gitignore; git add -A; git commit -qm one
git branch other; git tag v1; echo 2 >a; git commit -qam two; git branch third; git checkout -q other; echo other >a
git commit -qam other; git checkout -q main; echo stashed >b; git stash -q; echo old >b; git stash push -qm 'of the user'
echo staged >a; git add a; echo 'not staged' >a; echo new >c`)
  before = read()
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

test.for([
  ['git add -A; git commit -qm mine; echo more >d', ['refs/heads/main'], ['head']],
  [
    'git stash -qu; git checkout -qb own; touch d; git add -A; git commit -qm mine',
    ['HEAD', 'refs/stash'],
    ['head', 'stash-1'],
  ],
  ['git stash clear; git branch -qD third; git tag -d v1', ['refs/heads/third', 'refs/stash', 'refs/tags/v1'], []],
  ['rm -f .git/index; git update-ref -d refs/heads/main', ['refs/heads/main'], []],
] as const)('%s', async ([script, moves, kept], { task }) => {
  await (await open()).take('before')
  const checkpoints = await open()
  sh(script)
  const { moves: moved } = await checkpoints.restoreGit('before', task.id)
  await checkpoints.restore('before', task.id)
  expect([...moved].toSorted()).toEqual(moves)
  expect(read()).toBe(before)
  const refs = sh(`git for-each-ref --format='%(refname)' 'refs/mdtest/s/${task.id}-*'`).split('\n').filter(Boolean)
  expect(refs.map((ref) => ref.replace(`refs/mdtest/s/${task.id}-`, ''))).toEqual(kept)
})

test('within a merge without a branch, and before the first commit, it comes back as it was', async () => {
  sh('git checkout -qf v1; git merge -q --no-commit --no-ff third')
  const merging = read()
  expect(merging).toContain('MERGE_HEAD')
  await (await open()).take('merging')
  sh('git commit -qam merged')
  expect((await (await open()).restoreGit('merging', 'u1')).moves).toEqual(['HEAD'])
  expect(read()).toBe(merging)
  sh('rm -rf .git; git init -qb main')
  await (await open()).take('empty')
  sh('git add -A; git commit -qm first')
  expect((await (await open()).restoreGit('empty', 'u2')).moves).toEqual(['refs/heads/main'])
  expect(sh('git symbolic-ref HEAD; git ls-files; git for-each-ref refs/heads')).toBe('refs/heads/main\n')
  expect((await (await open()).restoreGit('empty', 'u3')).moves).toEqual([])
})
