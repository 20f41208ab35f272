import { existsSync } from 'node:fs'
import { lstat, mkdir, readdir, readFile, readlink, rm, symlink } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { z } from 'zod'
import { groundAt } from '../../../system/files/ground.ts'
import { replaceFile } from '../../../system/files/write-file.ts'
import { MdtestError } from '../../../system/mdtest-error.ts'
import { askGit, type Git, type GitPlace } from './git.ts'

const gitStateSchema = z.object({
  head: z.string(),
  /** The commit of HEAD; `null` before the first one. */
  tip: z.string().nullable(),
  /** Ids by name: branches, tags, and objects that take the place of others. */
  refs: z.record(z.string(), z.string()),
  stashes: z.array(z.object({ id: z.string(), message: z.string() })),
})

export type GitState = z.infer<typeof gitStateSchema>

export interface GitChanges {
  /** What had moved, for example `HEAD`. A fix of code never needs that. */
  readonly moves: readonly string[]
  /** Settings and hooks, for example `.git/config`: tools change these by the way. */
  readonly settings: readonly string[]
}

/** In the folder of git; in a linked work tree some are in its own, some in that of the repository. */
const settings = [
  ...['config', 'config.worktree', 'commondir', 'gitdir', 'shallow', 'objects/info/alternates', 'hooks'],
  ...['info/exclude', 'info/attributes', 'info/grafts', 'info/sparse-checkout'],
]
const underWay = [
  ...['index', 'MERGE_HEAD', 'MERGE_MODE', 'MERGE_MSG', 'AUTO_MERGE', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'sequencer'],
  ...['REBASE_HEAD', 'rebase-merge', 'rebase-apply', 'BISECT_LOG', 'BISECT_START'],
]

/** By path; without a mode: a link. */
const filesSchema = z.record(z.string(), z.object({ base64: z.string(), mode: z.int().nullable() }))
type Files = z.infer<typeof filesSchema>

const keptSchema = z.object({
  name: z.string(),
  /** `null` once it was put back. */
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

/** What a repository has besides its files: HEAD, its branch, the stash, the index, what is under way, settings and hooks. */
export class KeptRepository {
  readonly #repository: Repository
  /** In the folder of git, because settings may hold secrets. It is read after a crash. */
  readonly #file: string
  /** The newest, in memory: an agent may rewrite our files. */
  #newest: Kept | undefined

  constructor(repository: Repository) {
    this.#repository = repository
    this.#file = join(repository.place.gitDir, `${repository.refPrefix.replaceAll('/', '-')}-kept.json`)
  }

  async take(name: string): Promise<void> {
    const state = await readGitState(this.#repository.git)
    this.#save({ name, content: { state, ...(await this.#files()) } })
  }

  /**
   * Puts it back, unless that was done. Commits and stashes that were there are kept under refs.
   *
   * @throws MdtestError `EXEC_RESTORE_FAILED` where nothing was kept
   */
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
    throw new MdtestError('EXEC_RESTORE_FAILED', `What was kept of the repository is gone: \`${this.#file}\`.`, {
      hint: 'Compare its HEAD, branches and settings with what they were before you go on.',
    })
  }
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
    // Not written through a link, and a file may be a folder by now; the index is never gone.
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
  if (!movesBetween(wanted, now).includes(stashRef)) return
  await git(['stash', 'clear'])
  for (const { id, message } of stashesBack(wanted, now).toReversed())
    await git(['stash', 'store', '--message', message, id])
}

async function putHeadBack({ head, tip }: GitState, git: Git): Promise<void> {
  if (!head.startsWith('refs/')) return void (await git(['update-ref', '--no-deref', 'HEAD', head]))
  await git(['symbolic-ref', 'HEAD', head])
  await git(tip === null ? ['update-ref', '-d', head] : ['update-ref', head, tip])
}

async function readGitState(git: Git): Promise<GitState> {
  const format = '--format=%(HEAD)%(refname) %(objectname)'
  const lines = linesOf(await git(['for-each-ref', format, 'refs/heads', 'refs/tags', replaceRefs, 'refs/stash']))
  const entries = lines.map((line) => line.slice(1).split(' ') as [string, string]) // by the format
  const current = lines.findIndex((line) => line.startsWith('*'))
  const [head, tip] = entries[current] ?? (await unusualHead(git))
  const hasStash = entries.some(([name]) => name === stashRef)
  return {
    head,
    tip,
    refs: Object.fromEntries(entries.filter(([name]) => name !== stashRef)),
    stashes: hasStash ? await readStashes(git) : [],
  }
}

const stashRef = 'refs/stash'
/** As `git replace` makes them: what git shows is another object then. */
const replaceRefs = 'refs/replace'

/** Names of what has moved: HEAD, its branch, the stash, branches and tags that are gone. */
export function movesBetween(before: GitState, now: GitState): readonly string[] {
  const isBranch = before.head.startsWith('refs/')
  const tip = isBranch ? (now.refs[before.head] ?? null) : before.tip
  const gone = Object.keys(before.refs).filter((name) => now.refs[name] === undefined && name !== before.head)
  const [stashes, nowStashes] = [stashesBack(before, now), now.stashes].map((list) => list.map(({ id }) => id).join())
  return [
    ...(before.head === now.head ? [] : ['HEAD']),
    ...(tip === before.tip ? [] : [before.head]),
    ...gone,
    ...replacements(before, now),
    ...(stashes === nowStashes ? [] : [stashRef]),
  ]
}

function replacements(before: GitState, now: GitState): readonly string[] {
  return Object.keys(now.refs).filter(
    (name) => name.startsWith(`${replaceRefs}/`) && now.refs[name] !== before.refs[name],
  )
}

/** Those from before, and new ones of other work trees, which share them: a stash says on which branch it was made. */
export function stashesBack(before: GitState, now: GitState): GitState['stashes'] {
  const known = new Set(before.stashes.map(({ id }) => id))
  const branches = [before.head, now.head].map((head) => head.replace(/^refs\/heads\//, ''))
  const ours = [...branches, '(no branch)'].map((branch) => `on ${branch}:`)
  const isOfOthers = ({ id, message }: GitState['stashes'][number]): boolean =>
    !known.has(id) && !ours.some((words) => message.toLowerCase().includes(words.toLowerCase()))
  return [...now.stashes.filter(isOfOthers), ...before.stashes]
}

/** Without a branch, or on one that has no commit. */
async function unusualHead(git: Git): Promise<readonly [string, string | null]> {
  const branch = await askGit(git, 'symbolic-ref', '--quiet', 'HEAD').catch(() => undefined)
  if (branch !== undefined) return [branch, null]
  const id = await askGit(git, 'rev-parse', '--verify', 'HEAD')
  return [id, id]
}

async function readStashes(git: Git): Promise<GitState['stashes']> {
  const lines = linesOf(await git(['stash', 'list', '--format=%H %gs']))
  return lines.map((line) => ({ id: line.slice(0, line.indexOf(' ')), message: line.slice(line.indexOf(' ') + 1) }))
}

function linesOf(output: Buffer): readonly string[] {
  return output.toString().split('\n').filter(Boolean)
}
