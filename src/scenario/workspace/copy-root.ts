import { constants } from 'node:fs'
import { copyFile, lstat, mkdir, readlink, realpath, symlink } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { isInside } from '../../system/files/is-inside.ts'
import { MdtestError } from '../../system/mdtest-error.ts'
import { copiedLink, type CopyPlaces } from './copied-link.ts'
import { inParallel } from '../../system/in-parallel.ts'
import { linkModules } from './link-modules.ts'
import { listCopied } from './list-copied.ts'
import { errorCode, messageOf } from '../../system/error-facts.ts'

export interface CopyRequest {
  /** Absolute path of the suite root. */
  readonly root: string
  /** Absolute path of the copy, outside of the root; made, or empty. */
  readonly target: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signal?: AbortSignal
}

/**
 * Makes a fresh copy of the suite root for one scenario: what git tracks, as it is on disk, and what is new and not
 * ignored; without git everything. Permissions are kept, times are not, blocks are shared with the original where the
 * file system can (reflinks).
 *
 * - `node_modules` folders are made anew with links to what is in the original ones, those of folders above the root
 *   included; a link to a package of the workspace leads to its copy. Known caches in them are left out.
 * - Links stay as they are; one that leaves the root leads to the same place as the original, so writing through it
 *   is not confined to the copy.
 * - There is no `.git`: a worktree would share branches, configuration and hooks with the original.
 * - Log folders (`*.logs`), ignored files (`.env`, `dist`), empty folders, sockets and the like are left out.
 *
 * @throws MdtestError `HOST_COPY_TARGET` when root and target contain each other; `HOST_COPY_FAILED` when something
 *   cannot be copied; what was copied by then stays. `HOST_GIT_FAILED` as `listGitFiles`.
 */
export async function copyRoot({ root, target, env, signal }: CopyRequest): Promise<void> {
  const places = await placesOf(root, target)
  const { files, modules } = await listCopied({ folder: places.realRoot, env, ...(signal !== undefined && { signal }) })
  try {
    const folders = new Set(files.map((file) => dirname(join(places.target, file))))
    await inParallel([...folders], { signal, run: (folder) => mkdir(folder, { recursive: true }) })
    await inParallel(files, { signal, run: (file) => copyEntry(file, places) })
    await linkModules(modules, { places, signal })
  } catch (error: unknown) {
    signal?.throwIfAborted()
    const why = messageOf(error)
    throw new MdtestError('HOST_COPY_FAILED', `The suite root \`${root}\` cannot be copied (${why}).`, {
      hint: 'Make its files readable and see that the temporary folder has room, or use another `cwd`.',
      cause: error,
    })
  }
}

async function placesOf(root: string, target: string): Promise<CopyPlaces> {
  await mkdir(target, { recursive: true })
  const places = { root: resolve(root), realRoot: await realpath(root), target: await realpath(target) }
  if (isInside(places.target, places.realRoot) || isInside(places.realRoot, places.target)) {
    throw new MdtestError('HOST_COPY_TARGET', `The copy \`${target}\` and the suite root \`${root}\` overlap.`, {
      hint: 'Copy to a folder outside, where git finds no repository.',
    })
  }
  return places
}

async function copyEntry(path: string, places: CopyPlaces): Promise<void> {
  const from = join(places.realRoot, path)
  const to = join(places.target, path)
  try {
    const stats = await lstat(from)
    if (stats.isSymbolicLink()) await symlink(copiedLink({ from, text: await readlink(from) }, places), to)
    else if (stats.isFile()) await copyFile(from, to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL)
  } catch (error: unknown) {
    // Tracked but deleted, or gone since it was listed.
    if (errorCode(error) !== 'ENOENT') throw error
  }
}
