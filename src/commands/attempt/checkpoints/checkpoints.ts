import { lstatSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { groundAt } from '../../../system/files/ground.ts'
import { makeFolder, replaceFile } from '../../../system/files/write-file.ts'
import { MdtestError } from '../../../system/mdtest-error.ts'
import { isInCache } from './clear-caches.ts'
import { createCopyStore } from './copy-store.ts'
import { pathBytes, shownPath, type Entry, type FoundFile, type FileStore } from './file-store.ts'
import { createGit, findPlace, isInWorkTree } from '../git/git.ts'
import { createGitSnapshots, type GitSnapshots } from '../git/git-snapshots.ts'
import { createGitSettings, type GitSettings } from '../git/git-settings.ts'
import { createGitStore } from '../git/git-store.ts'
import { decidesWhatIsListed } from '../git/list-files.ts'
import { changedPaths, putBack } from './put-back.ts'

/** The files of a project at several times. */
export interface Checkpoints {
  /** Keeps the files as they are, tracked and not, without those that git ignores. One of the same name is replaced. */
  take(name: string): Promise<void>
  /**
   * Makes the files those of a checkpoint, also of another work tree. What is there now is kept under `undone` first. Can be
   * repeated after a crash.
   *
   * @throws MdtestError `EXEC_RESTORE_FAILED` where they are not the same afterwards, byte for byte
   */
  restore(name: string, undone: string): Promise<void>
  /**
   * Makes the files those of `before` with only some changes of `after`, which are now there.
   *
   * @param parts.paths of these changes
   * @throws MdtestError `EXEC_RESTORE_FAILED` where they are not the same afterwards, byte for byte
   */
  keepOnly(parts: { readonly before: string; readonly after: string; readonly paths: readonly string[] }): Promise<void>
  /**
   * Puts back what the repository has besides files: HEAD and its branch, the index, the stash, what is under way, its
   * settings and hooks. Nothing has changed without git.
   */
  restoreGit(name: string, undone: string): Promise<GitChanges>
  /** Paths that differ between two checkpoints, relative to the root. */
  changes(before: string, after: string): Promise<readonly string[]>
  /** What is in a checkpoint. */
  files(name: string): Promise<readonly KeptFile[]>
  /** Texts of these files in a checkpoint, of those that were there, by path. */
  texts(name: string, paths: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** The text of a file in a checkpoint; `undefined` where it was not there. */
  read(name: string, path: string): Promise<string | undefined>
  /**
   * Watches the files from now on. What it returns tells which were written to since, even where the content is the same
   * again, and which are new. It leaves out caches of tools.
   */
  watch(): Promise<() => Promise<Writes>>
  /** A ref of git or a file: how a person finds a checkpoint. */
  place(name: string): string
}

/** What had changed in a repository besides files. */
export interface GitChanges {
  /** What had moved, for example `HEAD`. A fix of code never needs that. */
  readonly moves: readonly string[]
  /** Settings and hooks, for example `.git/config`: tools change these by the way. */
  readonly settings: readonly string[]
}

/** Paths of files that were written to. */
export interface Writes {
  readonly changed: readonly string[]
  readonly added: readonly string[]
}

export interface KeptFile {
  /** Relative to the root. */
  readonly path: string
  readonly isLink: boolean
}

export interface CheckpointOptions {
  /** Absolute path of the folder that is kept. */
  readonly root: string
  /** Absolute path of a folder for what is kept beside git. */
  readonly folder: string
  /** Ref of git under which checkpoints are, for example `refs/mdtest/abc`. */
  readonly refPrefix: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Opens the checkpoints of a project: in git, where it is in a work tree, else as copies. */
export async function openCheckpoints({ root, folder, refPrefix, env }: CheckpointOptions): Promise<Checkpoints> {
  await mkdir(folder, { recursive: true })
  const store = await openStore({ root, folder, refPrefix, env })
  const folders = keepFolders(folder)
  /** Checkpoints of this process, in memory: an agent may rewrite those on disk. */
  const saved = new Map<string, readonly Entry[]>()
  const load = async (name: string): Promise<readonly Entry[]> => saved.get(name) ?? (await store.files.load(name))
  let known: ReadonlySet<string> | undefined
  const take = async (name: string): Promise<readonly Entry[]> => {
    const { files, emptyFolders } = await store.files.list(known)
    const entries = await store.files.put(files)
    await folders.write(name, emptyFolders)
    saved.set(name, entries)
    await store.files.save(name, entries)
    known = pathsOf(entries)
    return entries
  }
  const make = async (wanted: Wanted): Promise<void> => {
    await makeFiles(wanted, { root, store: store.files })
    known = pathsOf(wanted.wanted)
  }
  return {
    async take(name) {
      await take(name)
      await store.settings?.take(name)
      await store.snapshots?.take(name)
    },
    async restore(name, undone) {
      const [wanted, emptyFolders] = [await load(name), await folders.read(name)]
      await make({ wanted, emptyFolders, now: await take(undone) })
    },
    async keepOnly({ before, after, paths }) {
      const [was, is] = await Promise.all([load(before), load(after)])
      const chosen = new Set(paths)
      const isChosen = ({ path }: Entry): boolean => chosen.has(shownPath(path))
      const wanted = [...was.filter((entry) => !isChosen(entry)), ...is.filter(isChosen)]
      await make({ wanted, emptyFolders: await folders.read(before), now: is })
    },
    async restoreGit(name, undone) {
      const settings = (await store.settings?.putBack(name)) ?? []
      return { moves: (await store.snapshots?.restore(name, undone)) ?? [], settings }
    },
    async changes(before, after) {
      const [wanted, now] = await Promise.all([load(before), load(after)])
      return changedPaths({ wanted, now }).map(shownPath)
    },
    async files(name) {
      return (await load(name)).map(({ path, mode }) => ({ path: shownPath(path), isLink: mode === '120000' }))
    },
    async texts(name, paths) {
      const asked = new Set(paths)
      const entries = (await load(name)).filter(({ path }) => asked.has(shownPath(path)))
      const contents = await store.files.get([...new Set(entries.map(({ id }) => id))])
      return new Map(entries.map(({ path, id }) => [shownPath(path), contents.get(id)?.toString('utf8') ?? '']))
    },
    async read(name, path) {
      const entry = (await load(name)).find((each) => shownPath(each.path) === path)
      return entry && (await store.files.get([entry.id])).get(entry.id)?.toString('utf8')
    },
    async watch() {
      const look = async (): Promise<ReadonlyMap<string, string>> =>
        stampsOf(root, (await store.files.list(known)).files)
      const before = await look()
      return async () => writesBetween(before, await look())
    },
    place: (name) => store.files.place(name),
  }
}

interface Stores {
  readonly files: FileStore
  readonly snapshots?: GitSnapshots
  readonly settings?: GitSettings
}

/** Where git is, is found now, before anybody works who could lead it elsewhere. */
async function openStore({ root, folder, refPrefix, env }: CheckpointOptions): Promise<Stores> {
  const userGit = createGit(root, env)
  if (!(await isInWorkTree(userGit))) return { files: createCopyStore({ root, folder }) }
  const place = await findPlace(userGit, root)
  const git = createGit(root, env, place)
  return {
    files: createGitStore({ git, userGit, folder, refPrefix, root, env }),
    snapshots: createGitSnapshots({ git, folder, refPrefix }),
    settings: createGitSettings(place, refPrefix),
  }
}

function pathsOf(entries: readonly Entry[]): ReadonlySet<string> {
  return new Set(entries.map(({ path }) => path))
}

interface Wanted {
  readonly wanted: readonly Entry[]
  readonly emptyFolders: readonly string[]
  readonly now: readonly Entry[]
}

async function makeFiles(
  { wanted, emptyFolders, now }: Wanted,
  { root, store }: { readonly root: string; readonly store: FileStore },
): Promise<void> {
  const keptFolders = new Set(emptyFolders)
  const look = async (): Promise<readonly Entry[]> => store.put((await store.list(pathsOf(wanted))).files)
  // By rules of its own an attempt may have hidden files, or brought ignored ones to light: theirs come back first.
  const rules = { wanted: wanted.filter(decidesWhatIsListed), now: now.filter(decidesWhatIsListed) }
  await putBack(rules, { root, store, keptFolders })
  await putBack({ wanted, now: await look() }, { root, store, keptFolders })
  for (const each of emptyFolders) await mkdir(pathBytes(root, each), { recursive: true })
  const different = changedPaths({ wanted, now: await look() }).map(shownPath)
  if (different.length === 0) return
  throw new MdtestError(
    'EXEC_RESTORE_FAILED',
    `Files are not what they were made: ${different.slice(0, 10).join(', ')}.`,
    { hint: 'Does something else write to them? End it, and look at these files before you go on.' },
  )
}

/** Of each file what changes with every write: the time of that is the machine's to set. */
function stampsOf(root: string, files: readonly FoundFile[]): ReadonlyMap<string, string> {
  return new Map(
    files.flatMap(({ path }) => {
      if (isInCache(path)) return []
      const stats = lstatSync(pathBytes(root, path), { bigint: true, throwIfNoEntry: false })
      return stats === undefined ? [] : [[path, `${stats.ino} ${stats.ctimeNs} ${stats.size} ${stats.mode}`] as const] // a pair
    }),
  )
}

function writesBetween(before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): Writes {
  return {
    changed: [...before.keys()].filter((path) => before.get(path) !== now.get(path)).map(shownPath),
    added: [...now.keys()].filter((path) => !before.has(path)).map(shownPath),
  }
}

/** Empty folders of checkpoints, which trees of git do not hold. */
interface KeptFolders {
  write(name: string, folders: readonly string[]): Promise<void>
  read(name: string): Promise<readonly string[]>
}

/** In memory, too: an agent may remove our files. */
function keepFolders(folder: string): KeptFolders {
  const written = new Map<string, readonly string[]>()
  const ground = groundAt(folder)
  const fileOf = (name: string): string => join(folder, `${name}.folders.json`)
  return {
    async write(name, folders) {
      written.set(name, folders)
      makeFolder(ground, folder)
      replaceFile(ground, fileOf(name), { content: JSON.stringify(folders), isDurable: true, hasOneWriter: true })
    },
    read: async (name) => written.get(name) ?? (JSON.parse(await readFile(fileOf(name), 'utf8')) as readonly string[]), // by `write`
  }
}
