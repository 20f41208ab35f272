import {
  realpathSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  type Stats,
} from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { isInside } from './paths.ts'
import { RefusedError, refusedLink } from './file-errors.ts'

/**
 * A trusted folder in which agents and products put what they like. It may lie behind links of the user's; below it none is
 * followed. Plain data.
 */
export interface Ground {
  readonly root: string
  /** The same through no link, as it was at the first look. */
  readonly real: string
}

/** Looks once at a folder (absolute path), before others can change the way to it. It may not be there yet. */
export function groundAt(root: string): Ground {
  return { root, real: realPathOf(root) }
}

/**
 * The ground for a folder that a user named: inside of the project (`root`) the project, for an agent may have put a link
 * on the way; elsewhere the folder itself. Both paths are absolute.
 */
export function groundFor(folder: string, root: string): Ground {
  const ground = groundAt(root)
  return namesIn(ground, folder) === undefined ? groundAt(folder) : ground
}

export interface Place {
  readonly ground: Ground
  readonly names: readonly string[]
  /** Absolute path through no link, if none was put there since. */
  readonly path: string
}

export function placeIn(ground: Ground, path: string): Place {
  const names = namesIn(ground, path)
  if (names === undefined) throw new RefusedError(path, `is not below \`${ground.root}\``)
  return { ground, names, path: join(ground.real, ...names) }
}

function namesIn({ root, real }: Ground, path: string): readonly string[] | undefined {
  const folder = [root, real].find((each) => isInside(path, each))
  if (folder === undefined) return undefined
  return relative(folder, path)
    .split(sep)
    .filter((name) => name !== '')
}

/** Where a path leads in the end (absolute), also one that is not there yet. */
export function realPathOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return dirname(path) === path ? path : join(realPathOf(dirname(path)), basename(path))
  }
}

/** Gives a path for something directly in a folder. It holds only while the folder is open. */
export type At = (name: string) => string

/**
 * Does something, synchronously, in a folder (absolute path) that is reached through no link below the ground, whatever is
 * put on the way to it meanwhile.
 * @throws RefusedError where there is a link, or none can be ruled out; what the system and `action` throw
 */
export function inFolder<T>(ground: Ground, folder: string, action: (at: At) => T): T {
  const place = placeIn(ground, folder)
  if (hasDescriptors) return holdByDescriptor(place, action)
  // Elsewhere an exchange from here on is not noticed.
  lookAtWay(place)
  return action((name) => join(place.path, single(name)))
}

/** On Linux paths below the descriptor of an open folder lead into that folder, wherever its name leads by now. */
const descriptors = '/proc/self/fd'
const hasDescriptors = existsSync(descriptors)

/** No link is followed, and opening a FIFO does not wait. */
export const noLinkNoWait = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** The check is of the open folder, not of its name. */
function holdByDescriptor<T>(place: Place, action: (at: At) => T): T {
  const descriptor = openFolder(place)
  try {
    const here = `${descriptors}/${descriptor}`
    // But for some file systems, one call says the same as a look at each part of the way.
    if (readlinkSync(here) !== place.path) assertSame(lookAtWay(place).at(-1), fstatSync(descriptor), place)
    return withNames(() => action((name) => `${here}/${single(name)}`), { here, path: place.path })
  } finally {
    closeSync(descriptor)
  }
}

function openFolder(place: Place): number {
  try {
    return openSync(place.path, constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | noLinkNoWait)
  } catch (error: unknown) {
    // It names a link in the way.
    lookAtWay(place)
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
    if (!stats.isDirectory()) throw new RefusedError(folder, 'is no folder: remove it')
    return stats
  })
}

function assertSame(one: Stats | undefined, other: Stats, { path }: Place): void {
  if (one?.ino === other.ino && one.dev === other.dev) return
  throw new RefusedError(path, 'was exchanged for another folder while it was in use')
}

/** A name with more than one part could lead anywhere. */
function single(name: string): string {
  if (name === '..' || name.includes('/') || (process.platform === 'win32' && name.includes('\\'))) {
    throw new RefusedError(name, 'is not the name of a file')
  }
  return name
}

/** Errors of the system name the path that people know. */
function withNames<T>(action: () => T, { here, path }: { readonly here: string; readonly path: string }): T {
  try {
    return action()
  } catch (error: unknown) {
    if (error instanceof Error) error.message = error.message.replaceAll(here, path)
    throw error
  }
}
