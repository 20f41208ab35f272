import { realpathSync, closeSync, constants, existsSync, fstatSync, lstatSync, openSync, readlinkSync } from 'node:fs'
import type { Stats } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { orNothing } from '../error-facts.ts'
import { isInside } from './paths.ts'
import { RefusedError, refusedLink } from './file-errors.ts'

/** A trusted folder, even if its own path contains links. Links below it are refused: agents may have made them. */
export interface Ground {
  readonly root: string
  /** `root` with its links resolved when `groundAt` was called. */
  readonly real: string
}

/** Resolves the links in `root` (absolute path) now: a link made later has no effect. The folder need not exist. */
export function groundAt(root: string): Ground {
  return { root, real: realPathOf(root) }
}

/** For a folder in the project (`root`), the ground is the project: a link on the way to the folder is refused. */
export function groundFor(folder: string, root: string): Ground {
  const ground = groundAt(root)
  return namesBelow(ground, folder) === undefined ? groundAt(folder) : ground
}

export interface Place {
  readonly ground: Ground
  readonly names: readonly string[]
  /** Absolute: `ground.real` plus `names`. Links in `names` are not resolved. */
  readonly path: string
}

export function placeIn(ground: Ground, path: string): Place {
  const names = namesBelow(ground, path)
  if (names === undefined) throw new RefusedError(path, `is not below \`${ground.root}\``)
  return { ground, names, path: join(ground.real, ...names) }
}

function namesBelow({ root, real }: Ground, path: string): readonly string[] | undefined {
  const folder = [root, real].find((each) => isInside(path, each))
  if (folder === undefined) return undefined
  return relative(folder, path)
    .split(sep)
    .filter((name) => name !== '')
}

/** Resolves all links of an absolute path. Parts at its end that do not exist are kept as they are. */
export function realPathOf(path: string): string {
  const real = orNothing(() => realpathSync.native(path))
  return real ?? (dirname(path) === path ? path : join(realPathOf(dirname(path)), basename(path)))
}

/** Returns the path of a direct child. The path is valid only during the `action` of `inFolder`. */
export type At = (name: string) => string

/**
 * Runs `action` (synchronous) in the folder. Never follows links below the ground, even if somebody swaps in a link.
 * @throws RefusedError for a link or a swapped folder; errors of the system and of `action` are passed on
 */
export function inFolder<T>(ground: Ground, folder: string, action: (at: At) => T): T {
  const place = placeIn(ground, folder)
  if (hasDescriptors) return holdByDescriptor(place, action)
  // Without `/proc/self/fd`, a folder that is swapped after this check goes unnoticed.
  lookAtWay(place)
  return action((name) => join(place.path, single(name)))
}

/** On Linux, `/proc/self/fd/N` is the folder that was opened as N, even if the folder's path is renamed or swapped. */
const descriptors = '/proc/self/fd'
const hasDescriptors = existsSync(descriptors)

/** Flags for `open`: fail on a symbolic link, and do not block on a FIFO. */
export const noLinkNoWait = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** Opens the folder first and checks it then, so that a swap between check and use has no effect. */
function holdByDescriptor<T>(place: Place, action: (at: At) => T): T {
  const descriptor = openFolder(place)
  const here = `${descriptors}/${descriptor}`
  try {
    // Comparing paths is fast. Some file systems report another path for the same folder: then check each parent.
    if (readlinkSync(here) !== place.path) {
      const [seen, opened] = [lookAtWay(place).at(-1), fstatSync(descriptor)]
      if (seen?.ino !== opened.ino || seen.dev !== opened.dev)
        throw new RefusedError(place.path, 'was replaced by another folder while it was in use')
    }
    return action((name) => `${here}/${single(name)}`)
  } catch (error: unknown) {
    // Show the path of the folder, not `/proc/self/fd/…`.
    if (error instanceof Error) error.message = error.message.replaceAll(here, place.path)
    throw error
  } finally {
    closeSync(descriptor)
  }
}

function openFolder(place: Place): number {
  try {
    return openSync(place.path, constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | noLinkNoWait)
  } catch (error: unknown) {
    lookAtWay(place) // throws a clearer error if a link is the cause
    throw error
  }
}

function lookAtWay({ ground, names }: Place): readonly Stats[] {
  const real = realpathSync(ground.real)
  if (real !== ground.real) throw refusedLink(ground.real, real)
  const way = names.map((_, index) => join(ground.real, ...names.slice(0, index + 1)))
  return [ground.real, ...way].map((folder) => {
    const stats = lstatSync(folder)
    if (stats.isSymbolicLink()) throw refusedLink(folder, readlinkSync(folder))
    if (!stats.isDirectory()) throw new RefusedError(folder, 'is not a folder: remove it')
    return stats
  })
}

/** Refuses a name such as `..` or `a/b`, which leads out of the folder. */
function single(name: string): string {
  if (name === '..' || name.includes('/') || (process.platform === 'win32' && name.includes('\\'))) {
    throw new RefusedError(name, 'is not the name of a file')
  }
  return name
}
