import { existsSync } from 'node:fs'
import { lstat, mkdir, readdir, readFile, readlink, rm, symlink } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { z } from 'zod'
import { groundAt } from '../../../system/files/trusted-folder.ts'
import { replaceFile } from '../../../system/files/write-file.ts'
import { MdtestError } from '../../../system/mdtest-error.ts'
import { askGit, type Git, type GitPlace } from '../../../system/git/git.ts'

const gitStateSchema = z.object({
  head: z.string(),
  refs: z.record(z.string(), z.string()),
  stashes: z.array(z.object({ id: z.string(), message: z.string() })),
})

export type GitState = z.infer<typeof gitStateSchema>

export interface GitChanges {
  /** Moved refs, for example `HEAD`. An attempt must not move any. */
  readonly moves: readonly string[]
  /** Changed settings and hooks, for example `.git/config`. Tools may change them as a side effect. */
  readonly settings: readonly string[]
}

/** Paths in git's folder. In a linked work tree, some are separate and others are shared. */
const settings = [
  ...['config', 'config.worktree', 'commondir', 'gitdir', 'shallow', 'objects/info/alternates', 'hooks'],
  ...['info/exclude', 'info/attributes', 'info/grafts', 'info/sparse-checkout'],
]
const underWay = [
  ...['index', 'MERGE_HEAD', 'MERGE_MODE', 'MERGE_MSG', 'AUTO_MERGE', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'sequencer'],
  ...['REBASE_HEAD', 'rebase-merge', 'rebase-apply', 'BISECT_LOG', 'BISECT_START'],
]

/** Contents of files, by path. A link has the `mode` `null`. */
const filesSchema = z.record(z.string(), z.object({ base64: z.string(), mode: z.int().nullable() }))
type Files = z.infer<typeof filesSchema>

const keptSchema = z.object({
  name: z.string(),
  /** `null` after the state was restored. */
  content: z.object({ state: gitStateSchema, settings: filesSchema, underWay: filesSchema }).nullable(),
})
type Kept = z.infer<typeof keptSchema>

interface Stands {
  readonly wanted: GitState
  readonly now: GitState
}

interface Repository {
  readonly git: Git
  readonly place: GitPlace
  readonly refPrefix: string
}

/** Saves and restores a repository: HEAD, refs, stashes, index, settings, hooks, unfinished merges and rebases. */
export class KeptRepository {
  readonly #repository: Repository
  /** This file is in git's folder, because it may contain secrets. It is read only after a crash. */
  readonly #file: string
  /** The newest saved state. It stays in memory, because an agent may rewrite the file. */
  #newest: Kept | undefined

  constructor(repository: Repository) {
    this.#repository = repository
    this.#file = keptFile(repository.place.gitDir, repository.refPrefix)
  }

  async take(name: string): Promise<void> {
    const state = await readGitState(this.#repository.git)
    this.#save({ name, content: { state, ...(await this.#files()) } })
  }

  /** Restores the state once. New commits and stashes are kept in refs. @throws MdtestError `EXEC_RESTORE_FAILED` */
  async restore(name: string, undone: string): Promise<GitChanges> {
    const kept = this.#newest ?? (await this.#read())
    if (kept.name !== name || kept.content === null) return { moves: [], settings: [] }
    const { git, place, refPrefix } = this.#repository
    const { state: wanted, ...files } = kept.content
    const before = await this.#files()
    const changed = await putFilesBack(files.settings, before.settings)
    const stands = { wanted, now: await readGitState(git) }
    const moves = movesBetween(wanted, stands.now)
    await keepMoved(stands, { git, ref: `${refPrefix}/${undone}` })
    if (moves.length > 0) await putRefsBack(stands, git)
    await putFilesBack(files.underWay, (await this.#files()).underWay)
    this.#save({ name, content: null })
    return { moves, settings: changed.map((file) => relative(place.workTree, file)).toSorted() }
  }

  async #files(): Promise<{ settings: Files; underWay: Files }> {
    const { gitDir, commonDir } = this.#repository.place
    const found: Files = {}
    const own: Files = {}
    for (const folder of new Set([gitDir, commonDir])) {
      for (const name of settings) await addFiles(join(folder, name), found)
    }
    for (const name of underWay) await addFiles(join(gitDir, name), own)
    return { settings: found, underWay: own }
  }

  #save(kept: Kept): void {
    this.#newest = kept
    const content = JSON.stringify(kept)
    replaceFile(groundAt(dirname(this.#file)), this.#file, {
      content,
      mode: 0o600,
      isDurable: true,
      hasOneWriter: true,
    })
  }

  async #read(): Promise<Kept> {
    if (existsSync(this.#file)) return keptSchema.parse(JSON.parse(await readFile(this.#file, 'utf8')))
    throw new MdtestError('EXEC_RESTORE_FAILED', `The saved state of the repository is gone: \`${this.#file}\`.`, {
      hint: 'Check its HEAD, branches and settings before you continue.',
    })
  }
}

export function keptFile(gitDir: string, refPrefix: string): string {
  return join(gitDir, `${refPrefix.replaceAll('/', '-')}-kept.json`)
}

async function addFiles(file: string, found: Files): Promise<void> {
  const stats = await lstat(file).catch(() => undefined)
  if (stats?.isDirectory()) {
    for (const name of await readdir(file)) if (!name.endsWith('.sample')) await addFiles(join(file, name), found)
  } else if (stats?.isSymbolicLink()) {
    found[file] = { base64: (await readlink(file, { encoding: 'buffer' })).toString('base64'), mode: null }
  } else if (stats?.isFile()) {
    found[file] = { base64: (await readFile(file)).toString('base64'), mode: stats.mode & 0o777 }
  }
}

async function putFilesBack(wanted: Files, now: Files): Promise<readonly string[]> {
  const changed = [...new Set([...Object.keys(wanted), ...Object.keys(now)])].filter(
    (file) => wanted[file]?.base64 !== now[file]?.base64 || wanted[file]?.mode !== now[file]?.mode,
  )
  for (const file of changed) {
    const kept = wanted[file]
    // Remove only files that `replaceFile` below does not replace, because git's index must never be missing.
    if (kept === undefined || kept.mode === null || now[file] === undefined)
      await rm(file, { recursive: true, force: true })
    if (kept === undefined) continue
    const content = Buffer.from(kept.base64, 'base64')
    await mkdir(dirname(file), { recursive: true })
    if (kept.mode === null) await symlink(content, file)
    else replaceFile(groundAt(dirname(file)), file, { content, mode: kept.mode })
  }
  return changed
}

async function keepMoved({ wanted, now }: Stands, { git, ref }: { git: Git; ref: string }): Promise<void> {
  const [tip, wantedTip, branch] = [tipOf(now), tipOf(wanted), now.refs[wanted.head]]
  if (tip !== undefined && tip !== wantedTip) await git(['update-ref', `${ref}-head`, tip])
  if (branch !== undefined && branch !== wantedTip && branch !== tip) await git(['update-ref', `${ref}-branch`, branch])
  const known = new Set(wanted.stashes.map(({ id }) => id))
  for (const [index, { id }] of now.stashes.filter((each) => !known.has(each.id)).entries())
    await git(['update-ref', `${ref}-stash-${index + 1}`, id])
}

function tipOf({ head, refs }: GitState): string | undefined {
  return isBranch(head) ? refs[head] : head
}

function isBranch(head: string): boolean {
  return head.startsWith('refs/')
}

async function putRefsBack({ wanted, now }: Stands, git: Git): Promise<void> {
  for (const name of movedRefs(wanted, now)) {
    const id = wanted.refs[name]
    await git(id === undefined ? ['update-ref', '-d', name] : ['update-ref', name, id])
  }
  await git(
    isBranch(wanted.head) ? ['symbolic-ref', 'HEAD', wanted.head] : ['update-ref', '--no-deref', 'HEAD', wanted.head],
  )
  const isNew = isBranch(now.head) && now.head !== wanted.head && wanted.refs[now.head] === undefined
  if (isNew && now.refs[now.head] !== undefined) await git(['update-ref', '-d', now.head])
  if (!movesBetween(wanted, now).includes(stashRef)) return
  await git(['stash', 'clear'])
  for (const { id, message } of stashesBack(wanted, now).toReversed())
    await git(['stash', 'store', '--message', message, id])
}

const stashRef = 'refs/stash'
/** Refs of `git replace`, with which git shows other objects than the stored ones. */
const replaceRefs = 'refs/replace'

export function movesBetween(before: GitState, now: GitState): readonly string[] {
  const idsOf = (stashes: GitState['stashes']): string => stashes.map(({ id }) => id).join()
  return [
    ...(before.head === now.head ? [] : ['HEAD']),
    ...movedRefs(before, now),
    ...(idsOf(stashesBack(before, now)) === idsOf(now.stashes) ? [] : [stashRef]),
  ]
}

/** Other branches than HEAD's, and tags, count only if they were deleted: other work trees may move them. */
function movedRefs(before: GitState, now: GitState): readonly string[] {
  const names = [...new Set([...Object.keys(before.refs), ...Object.keys(now.refs)])]
  return names.filter((name) => {
    if (before.refs[name] === now.refs[name]) return false
    return name === before.head || name.startsWith(`${replaceRefs}/`) || now.refs[name] === undefined
  })
}

/** Returns the old stashes, and new stashes of other work trees. The message of a stash names the branch. */
export function stashesBack(before: GitState, now: GitState): GitState['stashes'] {
  const known = new Set(before.stashes.map(({ id }) => id))
  const branches = [before.head, now.head].map((head) => head.replace(/^refs\/heads\//, ''))
  const ours = [...branches, '(no branch)'].map((branch) => `on ${branch}:`.toLowerCase())
  const others = now.stashes.filter(
    ({ id, message }) => !known.has(id) && !ours.some((words) => message.toLowerCase().includes(words)),
  )
  return [...others, ...before.stashes]
}

async function readGitState(git: Git): Promise<GitState> {
  const format = '--format=%(refname) %(objectname)'
  const refs = await askGit(git, 'for-each-ref', format, 'refs/heads', 'refs/tags', replaceRefs)
  const head = await askGit(git, 'symbolic-ref', '--quiet', 'HEAD').catch(() =>
    askGit(git, 'rev-parse', '--verify', 'HEAD'),
  )
  const stashes = await askGit(git, 'stash', 'list', '--format=%H %gs')
  return {
    head,
    refs: Object.fromEntries(pairsIn(refs)),
    stashes: pairsIn(stashes).map(([id, message]) => ({ id, message })),
  }
}

function pairsIn(lines: string): readonly (readonly [string, string])[] {
  return lines
    .split('\n')
    .filter(Boolean)
    .map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)])
}
