import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createCopyStore } from './copy-store.ts'
import { pathBytes, shownPath, type Entry } from './entry.ts'
import type { FileStore } from './file-store.ts'
import { createGit, isInWorkTree } from './git.ts'
import { createGitKeeper } from './git-keeper.ts'
import { createGitStore } from './git-store.ts'
import { decidesWhatIsListed, findFiles } from './list-files.ts'
import { changedPaths, putBack } from './put-back.ts'

/** The files of a project at several times. */
export interface Checkpoints {
  /** Keeps the files as they are, tracked and not, without those that git ignores. One of the same name is replaced. */
  take(name: string): Promise<void>
  /**
   * Makes the files those of a checkpoint, also of another work tree. What is there now is kept under `undone` first. Can be
   * repeated after a crash.
   */
  restore(name: string, undone: string): Promise<void>
  /**
   * Puts back what the repository has besides files: HEAD and its branch, the index, the stash, what is under way. Names of
   * what had moved, for example `HEAD`; none without git.
   */
  restoreGit(name: string, undone: string): Promise<readonly string[]>
  /** Paths that differ between two checkpoints, relative to the root. */
  changes(before: string, after: string): Promise<readonly string[]>
  /** The text of a file in a checkpoint; `undefined` where it was not there. */
  read(name: string, path: string): Promise<string | undefined>
  /** A ref of git or a file: how a person finds a checkpoint. */
  place(name: string): string
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
  const git = createGit(root, env)
  const hasGit = await isInWorkTree(git)
  const store = hasGit ? createGitStore({ git, folder, refPrefix, root, env }) : createCopyStore({ root, folder })
  const keeper = hasGit ? createGitKeeper({ git, folder, refPrefix }) : undefined
  const take = async (name: string): Promise<readonly Entry[]> => {
    const { files, emptyFolders } = await store.list()
    const entries = await store.put(files)
    await writeFolders(foldersFile(folder, name), emptyFolders)
    await store.save(name, entries)
    return entries
  }
  return {
    async take(name) {
      await take(name)
      await keeper?.take(name)
    },
    restore: (name, undone) => restore(name, { root, folder, store, takeUndone: () => take(undone) }),
    restoreGit: async (name, undone) => (await keeper?.restore(name, undone)) ?? [],
    async changes(before, after) {
      const [wanted, now] = await Promise.all([store.load(before), store.load(after)])
      return changedPaths({ wanted, now }).map(shownPath)
    },
    async read(name, path) {
      const entry = (await store.load(name)).find((each) => shownPath(each.path) === path)
      return entry && (await store.get([entry.id])).get(entry.id)?.toString('utf8')
    },
    place: (name) => store.place(name),
  }
}

interface RestoreParts {
  readonly root: string
  readonly folder: string
  readonly store: FileStore
  readonly takeUndone: () => Promise<readonly Entry[]>
}

async function restore(name: string, { root, folder, store, takeUndone }: RestoreParts): Promise<void> {
  const wanted = await store.load(name)
  const emptyFolders = await readFolders(foldersFile(folder, name))
  const keptFolders = new Set(emptyFolders)
  const undone = await takeUndone()
  // By rules of its own an attempt may have hidden files, or brought ignored ones to light: theirs come back first.
  const rules = { wanted: wanted.filter(decidesWhatIsListed), now: undone.filter(decidesWhatIsListed) }
  await putBack(rules, { root, store, keptFolders })
  const { files } = await store.list()
  const known = new Set(files.map(({ path }) => path))
  const hidden = findFiles(
    root,
    wanted.map(({ path }) => path).filter((path) => !known.has(path)),
  )
  await putBack({ wanted, now: await store.put([...files, ...hidden]) }, { root, store, keptFolders })
  for (const each of emptyFolders) await mkdir(pathBytes(root, each), { recursive: true })
}

function foldersFile(folder: string, name: string): string {
  return join(folder, `${name}.folders.json`)
}

async function writeFolders(file: string, folders: readonly string[]): Promise<void> {
  await writeFile(`${file}.tmp`, JSON.stringify(folders))
  await rename(`${file}.tmp`, file)
}

async function readFolders(file: string): Promise<readonly string[]> {
  return JSON.parse(await readFile(file, 'utf8')) as readonly string[] // by `writeFolders`
}
