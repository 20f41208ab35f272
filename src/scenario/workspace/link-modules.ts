import { mkdir, readdir, readlink, realpath, symlink } from 'node:fs/promises'
import type { Dirent } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { copiedLink, type CopyPlaces } from './copied-link.ts'
import { inParallel } from '../../system/in-parallel.ts'
import { errorCode } from '../../system/error-facts.ts'

interface LinkContext {
  readonly places: CopyPlaces
  readonly signal: AbortSignal | undefined
}

/**
 * Gives a copy the installed packages of the original.
 *
 * @param paths `node_modules` folders, or parts of them, relative to the root
 */
export async function linkModules(paths: readonly string[], context: LinkContext): Promise<void> {
  const { realRoot, target } = context.places
  for (const path of paths) {
    const from = join(realRoot, path)
    if (basename(path) === 'node_modules') await linkFolder(from, join(target, path), context)
    else await linkEntry(from, join(target, path))
  }
  // Node looks for packages above the root as well, but there is nothing above the copy. What is nearer stays.
  for (let folder = dirname(realRoot); ; folder = dirname(folder)) {
    await linkFolder(join(folder, 'node_modules'), join(target, 'node_modules'), context)
    if (folder === dirname(folder)) return
  }
}

/** Written to by tools at work; copies must not share them. */
const caches = new Set(['.cache', '.vite', '.vite-temp', '.vitest'])

async function linkFolder(from: string, to: string, context: LinkContext): Promise<void> {
  const folder = await realpath(from).catch(() => undefined)
  // A file of that name, or a folder that cannot be read, holds no packages.
  const entries = folder === undefined ? [] : await readdir(folder, { withFileTypes: true }).catch(() => [])
  if (folder === undefined || entries.length === 0) return
  await mkdir(to, { recursive: true })
  await inParallel(
    entries.filter(({ name }) => !caches.has(name)),
    { signal: context.signal, run: (entry) => linkModule(entry, { folder, to }, context) },
  )
}

async function linkModule(
  entry: Dirent,
  { folder, to }: { readonly folder: string; readonly to: string },
  context: LinkContext,
): Promise<void> {
  const from = join(folder, entry.name)
  const place = join(to, entry.name)
  if (entry.isSymbolicLink()) {
    const text = await readlink(from)
    return linkOnce(copiedLink({ from, text }, context.places), place)
  }
  // Scopes and programs are folders of single packages and links to them.
  if (entry.isDirectory() && (entry.name.startsWith('@') || entry.name === '.bin')) {
    return linkFolder(from, place, context)
  }
  return linkOnce(from, place)
}

async function linkEntry(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true })
  await linkOnce(from, to)
}

async function linkOnce(text: string, place: string): Promise<void> {
  try {
    await symlink(text, place)
  } catch (error: unknown) {
    if (errorCode(error) !== 'EEXIST') throw error
  }
}
