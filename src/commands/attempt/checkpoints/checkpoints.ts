import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { mkdir, readlink, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { MdtestError } from '../../../system/mdtest-error.ts'
import { isInCache } from '../changes/outside-git.ts'
import { askGit, createGit, findPlace, type Git } from '../../../system/git/git.ts'
import { keptFile, KeptRepository, type GitChanges } from '../git/repository-state.ts'
import { singleQuoted } from '../../../system/text/shell-and-regex-quotes.ts'
import { FileLister, kindOf, pathBytes, shownPath, type FoundFile, type ListedProject } from './list-work-tree.ts'
import { changedPaths, gitMode, putBack, type Difference, type Entry } from './put-back.ts'

export interface CheckpointOptions extends Omit<ListedProject, 'hasGit'> {
  readonly refPrefix: string
}

export interface Writes {
  readonly changed: readonly string[]
  readonly added: readonly string[]
}

export async function openCheckpoints(options: CheckpointOptions): Promise<Checkpoints> {
  const { root, folder, refPrefix, env } = options
  await mkdir(folder, { recursive: true })
  const { isOwn, ...place } = await findPlace(root, join(folder, 'repository'), env)
  const git = createGit(root, env, place)
  const lister = new FileLister({ ...options, hasGit: !isOwn })
  const repository = isOwn ? undefined : new KeptRepository({ git, place, refPrefix })
  return new Checkpoints({ ...options, git, lister, gitDir: place.gitDir, repository })
}

interface Parts extends Pick<CheckpointOptions, 'root' | 'trees' | 'refPrefix'> {
  readonly git: Git
  readonly lister: FileLister
  readonly gitDir: string
  /** `undefined` if the project has no git repository and mdtest made its own. */
  readonly repository: KeptRepository | undefined
}

/** Saves and restores a project's files, byte for byte. The user's index, branches and HEAD stay as they are. */
export class Checkpoints {
  readonly #parts: Parts
  /** Checkpoints of this process. They stay in memory, because an agent could move the refs. */
  readonly #entries = new Map<string, readonly Entry[]>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Saves all files, tracked or not, except ignored ones. Replaces a checkpoint of the same name. */
  async take(name: string): Promise<void> {
    await this.#takeFiles(name)
    await this.#parts.repository?.take(name)
  }

  /** Saves the current files as `undone`, then restores `name`. @throws MdtestError `EXEC_RESTORE_FAILED` */
  async restore(name: string, undone: string): Promise<void> {
    await this.#make({ wanted: await this.#load(name), now: await this.#takeFiles(undone) })
  }

  /** Restores the files of `before`; only `paths` stay as in `after`. @throws MdtestError `EXEC_RESTORE_FAILED` */
  async keepOnly(parts: {
    readonly before: string
    readonly after: string
    readonly paths: readonly string[]
  }): Promise<void> {
    const [was, is] = await Promise.all([this.#load(parts.before), this.#load(parts.after)])
    const chosen = new Set(parts.paths)
    const isChosen = ({ path }: Entry): boolean => chosen.has(shownPath(path))
    await this.#make({ wanted: [...was.filter((entry) => !isChosen(entry)), ...is.filter(isChosen)], now: is })
  }

  /** Restores refs, settings and index, but no files of the project. After a crash, call it again. */
  async restoreGit(name: string, undone: string): Promise<GitChanges> {
    return (await this.#parts.repository?.restore(name, undone)) ?? { moves: [], settings: [] }
  }

  async restoreAll(name: string, undone: string): Promise<void> {
    await this.restoreGit(name, undone)
    await this.restore(name, undone)
  }

  async changes(before: string, after: string): Promise<readonly string[]> {
    return differences({ wanted: await this.#load(before), now: await this.#load(after) })
  }

  async files(name: string): Promise<readonly { readonly path: string; readonly isLink: boolean }[]> {
    const entries = (await this.#load(name)).filter(({ id }) => id !== '')
    return entries.map((entry) => ({ path: shownPath(entry.path), isLink: gitMode(entry) === '120000' }))
  }

  async texts(name: string, paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const asked = new Set(paths)
    const entries = (await this.#load(name)).filter(({ path, id }) => id !== '' && asked.has(shownPath(path)))
    const contents = await getObjects([...new Set(entries.map(({ id }) => id))], this.#parts.git)
    return new Map(entries.map(({ path, id }) => [shownPath(path), contents.get(id)?.toString('utf8') ?? '']))
  }

  async read(name: string, path: string): Promise<string | undefined> {
    return (await this.texts(name, [path])).get(path)
  }

  /** Starts watching. The returned function lists all files written since then, even with the same content. */
  async watch(): Promise<() => Promise<Writes>> {
    const look = async (): Promise<ReadonlyMap<string, string>> => {
      const files = (await this.#parts.lister.list()).filter(
        (file) => kinds.includes(kindOf(file)) && !isInCache(file.path),
      )
      return new Map(files.map(({ path, stamp }) => [path, stamp]))
    }
    const before = await look()
    return async () => {
      const now = await look()
      return {
        changed: [...before.keys()].filter((path) => before.get(path) !== now.get(path)).map(shownPath),
        added: [...now.keys()].filter((path) => !before.has(path)).map(shownPath),
      }
    }
  }

  /** Keeps the checkpoints of the newest runs: this run and `keep` - 1 others. `refPrefix` must end with a time. */
  async forgetOlder(keep: number): Promise<void> {
    const { git, gitDir, refPrefix } = this.#parts
    const found = (await askGit(git, 'for-each-ref', '--format=%(refname)', dirname(refPrefix))).split('\n')
    const refs = found.filter((ref) => dirname(dirname(ref)) === dirname(refPrefix))
    const runs = [...new Set(refs.map((ref) => dirname(ref)))].toSorted().slice(0, 1 - keep)
    const old = refs
      .filter((ref) => runs.includes(dirname(ref)))
      .map((ref) => `delete ${ref}\ndelete ${factsRef(ref)}\n`)
    await git(['update-ref', '--stdin'], { stdin: old.join('') })
    for (const run of runs) for (const end of ['', '.tmp']) await rm(keptFile(gitDir, run) + end, { force: true })
  }

  /** Where a user finds the checkpoint: the git ref or, in mdtest's own repository, the file of the ref. */
  place(name: string): string {
    const { repository, gitDir, refPrefix } = this.#parts
    return repository === undefined ? join(gitDir, refPrefix, name) : `${refPrefix}/${name}`
  }

  /** A command that restores the checkpoint's files. It must run in `root`, not in a folder above. */
  restoreCommand(name: string): string {
    const { repository, gitDir, refPrefix } = this.#parts
    const own = repository === undefined ? ` --git-dir=${singleQuoted(gitDir)}` : ''
    return `git${own} --work-tree=. restore --overlay --source=${refPrefix}/${name} --worktree .`
  }

  async #takeFiles(name: string): Promise<readonly Entry[]> {
    const { git, trees, refPrefix } = this.#parts
    const entries = await this.#look()
    const index = join(trees.makeTempDir(), 'index')
    const contents = entries.filter(({ id }) => id !== '')
    const lines = contents.map((entry) => `${gitMode(entry)} ${entry.id}\t${entry.path}\0`).join('')
    await git(['update-index', '-z', '--index-info'], { stdin: Buffer.from(lines, 'latin1'), index })
    const tree = (await git(['write-tree'], { index })).toString().trim()
    const facts = JSON.stringify(entries.filter(isUnknownToGit).map(({ path, mode }) => [path, mode]))
    const kept = await askGit((args) => git(args, { stdin: facts }), 'hash-object', '-w', '--stdin')
    const ref = `${refPrefix}/${name}`
    const refs = `update ${factsRef(ref)} ${kept}\nupdate ${ref} ${tree}\n`
    await git(['update-ref', '--stdin'], { stdin: refs })
    await rm(dirname(index), { recursive: true, force: true })
    this.#entries.set(name, entries)
    return entries
  }

  async #load(name: string): Promise<readonly Entry[]> {
    const { git, refPrefix } = this.#parts
    const known = this.#entries.get(name)
    if (known !== undefined) return known
    const entries = parseTree(await git(['ls-tree', '-r', '-z', '--full-tree', `${refPrefix}/${name}`]))
    const factsId = await askGit(git, 'rev-parse', factsRef(`${refPrefix}/${name}`))
    const facts = new Map(
      factsSchema.parse(JSON.parse((await getObjects([factsId], git)).get(factsId)?.toString() ?? '')),
    )
    const files = entries.map((entry) => ({ ...entry, mode: facts.get(entry.path) ?? entry.mode }))
    const paths = new Set(files.map(({ path }) => path))
    return [...files, ...[...facts].flatMap(([path, mode]) => (paths.has(path) ? [] : [{ path, mode, id: '' }]))]
  }

  async #look(): Promise<readonly Entry[]> {
    const { lister, git, root } = this.#parts
    return await putObjects(await lister.list(), git, root)
  }

  async #make({ wanted, now }: Difference): Promise<void> {
    const { root, git } = this.#parts
    await putBack({ wanted, now }, { root, get: (ids) => getObjects(ids, git) })
    const different = differences({ wanted, now: await this.#look() })
    if (different.length === 0) return
    const message = `Files differ from what was restored: ${different.slice(0, 10).join(', ')}.`
    throw new MdtestError('EXEC_RESTORE_FAILED', message, {
      hint: 'Does something else write to them? End it, and look at these files before you go on.',
    })
  }
}

/** Returns the ref that stores what a git tree cannot: pipes, empty folders and unusual permissions. */
const factsRef = (ref: string): string => ref.replace('/mdtest/', '/mdtest-modes/')
const factsSchema = z.array(z.tuple([z.string(), z.int()]))

const kinds = [constants.S_IFREG, constants.S_IFLNK]

function isUnknownToGit({ mode, id }: Entry): boolean {
  return id === '' || ![0o100644, 0o100755, 0o120777].includes(mode)
}

function differences(difference: Difference): readonly string[] {
  const [wanted, now] = [difference.wanted, difference.now].map((entries) => entries.filter(({ id }) => id !== ''))
  return changedPaths({ wanted: wanted ?? [], now: now ?? [] }).map(shownPath)
}

async function putObjects(files: readonly FoundFile[], git: Git, root: string): Promise<readonly Entry[]> {
  const hash = ['hash-object', '-w', '--no-filters']
  const plain = files.filter((file) => kindOf(file) === constants.S_IFREG)
  const stdin = plain.map(({ path }) => `${quotePath(pathBytes(root, path))}\n`).join('')
  const output = plain.length === 0 ? '' : await askGit((args) => git(args, { stdin }), ...hash, '--stdin-paths')
  const ids = new Map(output.split('\n').map((id, index) => [plain[index]?.path ?? '', id]))
  for (const { path } of files.filter((file) => kindOf(file) === constants.S_IFLNK)) {
    // Hash the link itself, because git would read the file that it points to.
    const target = await readlink(pathBytes(root, path), { encoding: 'buffer' })
    ids.set(path, await askGit((args) => git(args, { stdin: target }), ...hash, '--stdin'))
  }
  return files.map(({ path, mode }) => ({ path, mode, id: ids.get(path) ?? '' }))
}

/** Quotes a path like a C string, because names may contain any byte, even line feeds. */
function quotePath(path: Buffer): string {
  const escaped = [...path].map((byte) => {
    const isPlain = byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c
    return isPlain ? String.fromCodePoint(byte) : `\\${byte.toString(8).padStart(3, '0')}`
  })
  return `"${escaped.join('')}"`
}

/** Reads contents by id. @throws MdtestError `EXEC_RESTORE_FAILED` if an object is missing or was changed */
async function getObjects(ids: readonly string[], git: Git): Promise<ReadonlyMap<string, Buffer>> {
  const contents = new Map<string, Buffer>()
  if (ids.length === 0) return contents
  const output = await git(['cat-file', '--batch'], { stdin: ids.map((id) => `${id}\n`).join('') })
  let at = 0
  for (const id of ids) {
    const lineEnd = output.indexOf('\n', at)
    const size = Number(output.toString('latin1', at, lineEnd).split(' ')[2] ?? Number.NaN)
    const content = output.subarray(lineEnd + 1, lineEnd + 1 + size)
    if (Number.isNaN(size) || idOf(content, id) !== id) {
      throw new MdtestError(
        'EXEC_RESTORE_FAILED',
        `The saved content of a file is missing or was changed: git object ${id}.`,
        { hint: 'Nothing was taken from it. Compare your files with your last commit before you go on.' },
      )
    }
    contents.set(id, content)
    at = lineEnd + 1 + size + 1
  }
  return contents
}

/** Computes the id of a content as git does. An agent may have changed what git has stored under an id. */
function idOf(content: Buffer, id: string): string {
  const hash = createHash(id.length === 40 ? 'sha1' : 'sha256')
  return hash.update(`blob ${content.length}\0`).update(content).digest('hex')
}

function parseTree(output: Buffer): readonly Entry[] {
  const lines = output.toString('latin1').split('\0').filter(Boolean)
  return lines.map((line) => {
    const tab = line.indexOf('\t')
    const [mode = '', , id = ''] = line.slice(0, tab).split(' ')
    return { mode: Number.parseInt(mode, 8) | (mode === '120000' ? 0o777 : 0), id, path: line.slice(tab + 1) }
  })
}
