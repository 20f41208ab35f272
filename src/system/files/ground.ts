import { realpathSync, closeSync, constants, existsSync, fstatSync, lstatSync, openSync, readlinkSync } from 'node:fs'
import type { Stats } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { orNothing } from '../error-facts.ts'
import { isInside } from './paths.ts'
import { RefusedError, refusedLink } from './file-errors.ts'

/** A folder with a trusted path, which may contain links. Agents write below it, so links there are never followed. */
export interface Ground {
  readonly root: string
  /** `root` with all links resolved at the time of `groundAt`. */
  readonly real: string
}

/** Resolves the links in `root` (absolute path) once: later changes have no effect. The folder need not exist yet. */
export function groundAt(root: string): Ground {
  return { root, real: realPathOf(root) }
}

/** A folder in the project (`root`) gets the project as its ground: an agent could have put a link into the path. */
export function groundFor(folder: string, root: string): Ground {
  const ground = groundAt(root)
  return namesBelow(ground, folder) === undefined ? groundAt(folder) : ground
}

export interface Place {
  readonly ground: Ground
  readonly names: readonly string[]
  /** Absolute path below the real root. Links in `names` are not resolved. */
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

/** Resolves all links of an absolute path. The end of the path need not exist. */
export function realPathOf(path: string): string {
  const real = orNothing(() => realpathSync.native(path))
  return real ?? (dirname(path) === path ? path : join(realPathOf(dirname(path)), basename(path)))
}

/** The path of a direct child, valid until the folder is closed. */
export type At = (name: string) => string

/**
 * Runs `action` (synchronous) in the folder. Follows no link below the ground, even if somebody swaps a parent folder.
 * @throws RefusedError if there is a link or a swapped folder; also errors of the system and of `action`
 */
export function inFolder<T>(ground: Ground, folder: string, action: (at: At) => T): T {
  const place = placeIn(ground, folder)
  if (hasDescriptors) return holdByDescriptor(place, action)
  // Without descriptors, nothing notices a swap of the folder after this check.
  lookAtWay(place)
  return action((name) => join(place.path, single(name)))
}

/** On Linux, a path below an open folder's descriptor stays in that folder, even if somebody renames or swaps it. */
const descriptors = '/proc/self/fd'
const hasDescriptors = existsSync(descriptors)

/** Flags for `open`: fail on a symbolic link, and do not block on a FIFO. */
export const noLinkNoWait = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** Opens the folder before checking it, so that a swap between check and use has no effect. */
function holdByDescriptor<T>(place: Place, action: (at: At) => T): T {
  const descriptor = openFolder(place)
  try {
    const here = `${descriptors}/${descriptor}`
    // A comparison of paths is fast. A few file systems report another path: then check each parent.
    if (readlinkSync(here) !== place.path) {
      const [seen, opened] = [lookAtWay(place).at(-1), fstatSync(descriptor)]
      if (seen?.ino !== opened.ino || seen.dev !== opened.dev)
        throw new RefusedError(place.path, 'was replaced by another folder while it was in use')
    }
    return withNames(() => action((name) => `${here}/${single(name)}`), { here, path: place.path })
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

/** Refuses names that lead out of the folder. */
function single(name: string): string {
  if (name === '..' || name.includes('/') || (process.platform === 'win32' && name.includes('\\'))) {
    throw new RefusedError(name, 'is not the name of a file')
  }
  return name
}

/** Errors name the folder's real path in place of `/proc/self/fd/…`. */
function withNames<T>(action: () => T, { here, path }: { readonly here: string; readonly path: string }): T {
  try {
    return action()
  } catch (error: unknown) {
    if (error instanceof Error) error.message = error.message.replaceAll(here, path)
    throw error
  }
}
