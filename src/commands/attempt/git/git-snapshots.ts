import { existsSync, readFileSync } from 'node:fs'
import { cp, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { groundAt } from '../../../system/files/ground.ts'
import { makeFolder, replaceFile } from '../../../system/files/write-file.ts'
import type { Git } from './git.ts'
import {
  gitStateSchema,
  movesBetween,
  readGitState,
  replacements,
  stashesBack,
  stashRef,
  type GitState,
} from './git-state.ts'

/** Snapshots of what a repository has besides its files: HEAD, its branch, the index, the stash. */
export interface GitSnapshots {
  take(name: string): Promise<void>
  /**
   * Puts it back, and keeps what was there under a ref. Returns names of what had moved; staging is no move.
   * Can be repeated after a crash.
   */
  restore(name: string, undone: string): Promise<readonly string[]>
}

interface SnapshotOptions {
  readonly git: Git
  /** Absolute path of a folder of ours. */
  readonly folder: string
  /** For example `refs/mdtest/abc`. */
  readonly refPrefix: string
}

/** What is under way in a repository: files and folders beside HEAD. */
const underWay = [
  ...['MERGE_HEAD', 'MERGE_MODE', 'MERGE_MSG', 'AUTO_MERGE', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'sequencer'],
  ...['REBASE_HEAD', 'rebase-merge', 'rebase-apply', 'BISECT_LOG', 'BISECT_START'],
]

export function createGitSnapshots({ git, folder, refPrefix }: SnapshotOptions): GitSnapshots {
  let found: Promise<string> | undefined
  const gitFolder = (): Promise<string> =>
    (found ??= git(['rev-parse', '--absolute-git-dir']).then((output) => output.toString().trimEnd()))
  const ground = groundAt(folder)
  const copyOf = (name: string): string => join(folder, `${name}.git`)
  /** The newest snapshot, in memory: an agent may remove our files. */
  let newest: { readonly name: string; readonly stand: string; readonly index: Buffer | undefined } | undefined
  const bringBack = async (name: string): Promise<boolean> => {
    if (newest?.name !== name || existsSync(join(copyOf(name), 'stand.json'))) return false
    makeFolder(ground, copyOf(name))
    if (newest.index !== undefined) replaceFile(ground, join(copyOf(name), 'index'), newest.index)
    replaceFile(ground, join(copyOf(name), 'stand.json'), newest.stand)
    return true
  }
  return {
    async take(name) {
      const [from, copy] = [await gitFolder(), copyOf(name)]
      await rm(copy, { recursive: true, force: true })
      makeFolder(ground, copy)
      for (const each of [...underWay, 'index']) {
        if (existsSync(join(from, each))) await cp(join(from, each), join(copy, each), { recursive: true })
      }
      const stand = JSON.stringify(await readGitState(git))
      replaceFile(ground, join(copy, 'stand.json'), { content: stand, isDurable: true })
      newest = { name, stand, index: await readFile(join(copy, 'index')).catch(() => undefined) } // new repositories have none
    },
    async restore(name, undone) {
      const [to, copy] = [await gitFolder(), copyOf(name)]
      const wasGone = await bringBack(name)
      const wanted = gitStateSchema.parse(JSON.parse(await readFile(join(copy, 'stand.json'), 'utf8')))
      const now = await readGitState(git)
      const moves = movesBetween(wanted, now)
      await keepMoved({ wanted, now }, { git, ref: `${refPrefix}/${undone}` })
      if (moves.length > 0) await putRefsBack({ wanted, now }, git)
      // What was under way is not known any more then, and is left as it is.
      for (const each of wasGone ? [] : underWay) await putFileBack(each, { copy, to })
      if (!isSame(join(copy, 'index'), join(to, 'index'))) await putFileBack('index', { copy, to })
      return moves
    },
  }
}

interface Stands {
  readonly wanted: GitState
  readonly now: GitState
}

/** Commits that nothing would lead to any more. */
async function keepMoved(
  { wanted, now }: Stands,
  { git, ref }: { readonly git: Git; readonly ref: string },
): Promise<void> {
  if (now.tip !== null && now.tip !== wanted.tip) await git(['update-ref', `${ref}-head`, now.tip])
  const branch = now.refs[wanted.head]
  if (branch !== undefined && branch !== wanted.tip && branch !== now.tip)
    await git(['update-ref', `${ref}-branch`, branch])
  const known = new Set(wanted.stashes.map(({ id }) => id))
  for (const [index, { id }] of now.stashes.filter((each) => !known.has(each.id)).entries()) {
    await git(['update-ref', `${ref}-stash-${index + 1}`, id])
  }
}

async function putRefsBack({ wanted, now }: Stands, git: Git): Promise<void> {
  const gone = Object.entries(wanted.refs).filter(([name]) => now.refs[name] === undefined)
  for (const [name, id] of gone) await git(['update-ref', name, id])
  for (const name of replacements(wanted, now)) {
    const id = wanted.refs[name]
    await git(id === undefined ? ['update-ref', '-d', name] : ['update-ref', name, id])
  }
  await putHeadBack(wanted, git)
  const isNew = now.head.startsWith('refs/') && now.head !== wanted.head && wanted.refs[now.head] === undefined
  if (isNew && now.tip !== null) await git(['update-ref', '-d', now.head])
  if (movesBetween(wanted, now).includes(stashRef)) await putStashesBack(stashesBack(wanted, now), git)
}

async function putHeadBack({ head, tip }: GitState, git: Git): Promise<void> {
  if (!head.startsWith('refs/')) return void (await git(['update-ref', '--no-deref', 'HEAD', head]))
  await git(['symbolic-ref', 'HEAD', head])
  await git(tip === null ? ['update-ref', '-d', head] : ['update-ref', head, tip])
}

async function putStashesBack(stashes: GitState['stashes'], git: Git): Promise<void> {
  await git(['stash', 'clear'])
  for (const { id, message } of stashes.toReversed()) await git(['stash', 'store', '--message', message, id])
}

async function putFileBack(name: string, { copy, to }: { readonly copy: string; readonly to: string }): Promise<void> {
  const [kept, target] = [join(copy, name), join(to, name)]
  if (!existsSync(kept)) return await rm(target, { recursive: true, force: true })
  const fresh = `${target}.mdtest`
  await rm(fresh, { recursive: true, force: true })
  await cp(kept, fresh, { recursive: true })
  // A folder cannot take the place of one that is there; the index is never gone.
  if (name !== 'index') await rm(target, { recursive: true, force: true })
  await rename(fresh, target)
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((file) => (existsSync(file) ? readFileSync(file) : undefined))
  return a === undefined || b === undefined ? a === b : a.equals(b)
}
