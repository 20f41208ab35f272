import { constants, existsSync, type Dirent, type Stats } from 'node:fs'
import { copyFile, lstat, mkdir, readdir, readlink, realpath, rm, symlink } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { join as joinNames } from 'node:path/posix'
import { listGitFiles } from '../../host/guard/git-files.ts'
import { inParallel } from '../../system/slots-and-timers.ts'
import { errorCode, messageOf } from '../../system/error-facts.ts'
import { isInside } from '../../system/files/paths.ts'
import type { GitContext } from '../../system/git/git.ts'
import { MdtestError } from '../../system/mdtest-error.ts'
import { runProgram } from '../../system/process/run-program.ts'

export interface CopyRequest {
  readonly root: string
  readonly target: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signal?: AbortSignal | undefined
}

/**
 * Copies the suite root without `.git` and without files that git ignores. Without git, copies all files. Packages are
 * links to the originals. An error leaves a partial copy.
 */
export async function copyRoot({ root, target, env, signal }: CopyRequest): Promise<void> {
  await mkdir(target, { recursive: true })
  const places = { root: resolve(root), realRoot: await realpath(root), target: await realpath(target) }
  if (isInside(places.target, places.realRoot) || isInside(places.realRoot, places.target)) {
    throw new MdtestError('HOST_COPY_TARGET', `The copy \`${target}\` and the suite root \`${root}\` overlap.`, {
      hint: 'Copy to a folder outside, where git finds no repository.',
    })
  }
  const { files, modules } = await listCopied({ folder: places.realRoot, env, ...(signal !== undefined && { signal }) })
  try {
    const copy = new RootCopy({ ...places, env, signal })
    await copy.copyFiles(files)
    await copy.linkModules(modules)
  } catch (error: unknown) {
    signal?.throwIfAborted()
    const why = messageOf(error)
    throw new MdtestError('HOST_COPY_FAILED', `The suite root \`${root}\` cannot be copied (${why}).`, {
      hint: 'Make its files readable and see that the temporary folder has room, or use another `cwd`.',
      cause: error,
    })
  }
}

interface CopyOptions extends CopyRequest {
  /** `root` without links. */
  readonly realRoot: string
}

/** Folders that tools write to while they run. Two copies must not share them. */
const caches = new Set(['.cache', '.vite', '.vite-temp', '.vitest'])

class RootCopy {
  readonly #options: CopyOptions

  constructor(options: CopyOptions) {
    this.#options = options
  }

  async copyFiles(paths: readonly string[]): Promise<void> {
    const folders = new Set(paths.map((path) => dirname(join(this.#options.target, path))))
    await this.#each([...folders], (folder) => mkdir(folder, { recursive: true }))
    await this.#each(paths, (path) => this.#copyEntry(path))
  }

  async linkModules(paths: readonly string[]): Promise<void> {
    const { realRoot, target } = this.#options
    for (const path of paths) {
      const [from, to] = [join(realRoot, path), join(target, path)]
      if (basename(path) === 'node_modules') await this.#linkFolder(from, to)
      else {
        await mkdir(dirname(to), { recursive: true })
        await linkOnce(from, to)
      }
    }
    // Node also looks for packages above the root. Above the copy there are none, so link them here, nearest first.
    for (let folder = dirname(realRoot); ; folder = dirname(folder)) {
      await this.#linkFolder(join(folder, 'node_modules'), join(target, 'node_modules'))
      if (folder === dirname(folder)) return
    }
  }

  #each<Item>(items: readonly Item[], run: (item: Item) => Promise<unknown>): Promise<unknown> {
    return inParallel(items, { signal: this.#options.signal, run })
  }

  async #copyEntry(path: string): Promise<void> {
    const from = join(this.#options.realRoot, path)
    const to = join(this.#options.target, path)
    try {
      const stats = await lstat(from)
      if (stats.isSymbolicLink()) await symlink(await this.#copiedLink(from), to)
      else if (stats.isFile() && !(hasHoles(stats) && (await copyWithHoles(from, to, this.#options.env))))
        await copyFile(from, to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL)
    } catch (error: unknown) {
      // Ignore a file that is tracked but deleted, or that was deleted after it was listed.
      if (errorCode(error) !== 'ENOENT') throw error
    }
  }

  async #linkFolder(from: string, to: string): Promise<void> {
    const folder = await realpath(from).catch(() => undefined)
    // A file, or a folder that cannot be read, contains no packages.
    const entries = folder === undefined ? [] : await readdir(folder, { withFileTypes: true }).catch(() => [])
    if (entries.length === 0) return
    await mkdir(to, { recursive: true })
    await this.#each(
      entries.filter(({ name }) => !caches.has(name)),
      (entry) => this.#linkModule(entry, join(to, entry.name)),
    )
  }

  async #linkModule(entry: Dirent, to: string): Promise<void> {
    const from = join(entry.parentPath, entry.name)
    if (entry.isSymbolicLink()) return linkOnce(await this.#copiedLink(from), to)
    // `@scope` and `.bin` are folders of packages and programs. Link each entry by itself.
    const isFolder = entry.isDirectory() && (entry.name.startsWith('@') || entry.name === '.bin')
    return isFolder ? this.#linkFolder(from, to) : linkOnce(from, to)
  }

  /** Target of a copied link. A relative link inside the root stays. Other links into the root point into the copy. */
  async #copiedLink(link: string): Promise<string> {
    const { root, realRoot, target } = this.#options
    const text = await readlink(link)
    const destination = resolve(dirname(link), text)
    const home = [realRoot, root].find((each) => isInside(destination, each))
    if (home === undefined) return destination
    const isAtHome = isInside(link, home)
    return isAbsolute(text) || !isAtHome ? join(target, relative(home, destination)) : text
  }
}

function hasHoles({ size, blocks }: Stats): boolean {
  return size - blocks * bytesInBlock > maxWrittenOutBytes
}

const bytesInBlock = 512
const maxWrittenOutBytes = 1024 ** 2

/** Copies a sparse file with `cp`, because Node.js would fill its holes. Returns whether that worked. */
async function copyWithHoles(from: string, to: string, env: CopyRequest['env']): Promise<boolean> {
  const options = ['--sparse=always', '--reflink=auto', '--preserve=mode']
  const { failure } = await runProgram(['cp', ...options, '--', from, to], { cwd: dirname(to), env })
  if (failure) await rm(to, { force: true })
  return failure === undefined
}

async function linkOnce(text: string, place: string): Promise<void> {
  try {
    await symlink(text, place)
  } catch (error: unknown) {
    if (errorCode(error) !== 'EEXIST') throw error
  }
}

/** Paths to copy from a folder, relative to it, with slashes. */
export interface CopiedPaths {
  readonly files: readonly string[]
  /** Untracked `node_modules` folders, and untracked parts of tracked `node_modules` folders. */
  readonly modules: readonly string[]
}

/** Lists the files to copy. A repository inside the folder has its own ignore rules. */
export async function listCopied(context: GitContext): Promise<CopiedPaths> {
  const listed = await listGitFiles(['--cached', '--others', ...withoutModules], context)
  if (listed === undefined) return listAll(context.folder)
  const ignored = await listGitFiles(['--others', '--ignored', '--directory', ...withoutModules], context)
  const modules = (ignored ?? [])
    .map((path) => path.replace(/\/$/, ''))
    .filter((path) => path.split('/').includes('node_modules'))
  const paths = listed.filter((path) => !/\.logs\/./.test(path))
  const parts = await inParallel(paths, { signal: context.signal, run: (path) => expand(path, context) })
  return { files: parts.flatMap(({ files }) => files), modules: [...modules, ...parts.flatMap((part) => part.modules)] }
}

const withoutModules = ['--exclude-standard', '--exclude=node_modules'] as const

/** Expands a submodule or an untracked repository, which git lists as one path. */
async function expand(path: string, context: GitContext): Promise<CopiedPaths> {
  const folder = join(context.folder, path)
  const stats = await lstat(folder).catch(() => undefined)
  if (stats?.isDirectory() !== true) return { files: [path], modules: [] }
  // In a submodule without files, git would list the outer repository.
  const isRepository = existsSync(join(folder, '.git'))
  const inner = isRepository ? await listCopied({ ...context, folder }) : await listAll(folder)
  const within = (name: string): string => joinNames(path, name)
  return { files: inner.files.map(within), modules: inner.modules.map(within) }
}

async function listAll(folder: string): Promise<CopiedPaths> {
  const files: string[] = []
  const modules: string[] = []
  const queue = ['']
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    for (const entry of await readdir(join(folder, path), { withFileTypes: true })) {
      const inner = joinNames(path, entry.name)
      if (entry.name === 'node_modules') modules.push(inner)
      else if (!entry.isDirectory()) files.push(inner)
      else if (entry.name !== '.git' && !entry.name.endsWith('.logs')) queue.push(inner)
    }
  }
  return { files, modules }
}
