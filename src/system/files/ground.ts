import { realpathSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { isInside } from './paths.ts'
import { RefusedError } from './file-errors.ts'

/**
 * A trusted folder in which others may put what they like: agents, programs that they leave behind, products. It may
 * lie behind links of the user's; below it none is followed. Plain data.
 */
export interface Ground {
  /** Absolute path, as it is named. */
  readonly root: string
  /** The same through no link, as it was when it was looked at first. */
  readonly real: string
}

/** Looks at a folder (absolute path) that may not be there yet. Once, before others can change the way to it. */
export function groundAt(root: string): Ground {
  return { root, real: realPathOf(root) }
}

/**
 * The ground for a folder that a user named. Inside the project it is the project, because an agent may have put a link
 * on the way; elsewhere it is the folder itself.
 *
 * @param folder absolute path
 * @param root absolute path of the project
 */
export function groundFor(folder: string, root: string): Ground {
  const ground = groundAt(root)
  return namesIn(ground, folder) === undefined ? groundAt(folder) : ground
}

/** A place below a ground. */
export interface Place {
  readonly ground: Ground
  /** What leads to it from the ground. */
  readonly names: readonly string[]
  /** Absolute path through no link, if none was put there since. */
  readonly path: string
}

/** @throws RefusedError for a path that is not below the ground */
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

/** Where a path leads in the end (absolute), also for what is not there yet. */
export function realPathOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    // What is not there yet is made without links.
    return dirname(path) === path ? path : join(realPathOf(dirname(path)), basename(path))
  }
}
