import { lstatSync, realpathSync } from 'node:fs'
import { join, sep } from 'node:path'
import { isInside } from '../../system/files/paths.ts'

/** Where a path leads to; `undefined` for what is not there, or cannot be reached by us either. */
export function realOf(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

export function realPaths(paths: readonly string[]): readonly string[] {
  return [...new Set(paths.flatMap((path) => realOf(path) ?? []))]
}

export function isIn(folders: readonly string[], path: string): boolean {
  return folders.some((folder) => isInside(path, folder))
}

/** A link of the file system, through which nothing else leads. */
export interface Link {
  /** Absolute path; only its last name is a link. */
  readonly path: string
  /** Real path. */
  readonly end: string
}

/** The links on the way of an absolute path. */
export function linksOn(path: string): readonly Link[] {
  const links: Link[] = []
  let place: string = sep
  try {
    for (const name of path.split(sep)) {
      const next = join(place, name)
      const isLink = lstatSync(next).isSymbolicLink()
      place = isLink ? realpathSync(next) : next
      if (isLink) links.push({ path: next, end: place })
    }
  } catch {
    // The way ends here.
  }
  return links
}

/** The deepest of these real folders that a path is below; nothing where it is one of them. */
export function folderAround(path: string, folders: readonly string[]): string | undefined {
  if (folders.includes(path)) return undefined
  return folders.filter((folder) => isInside(path, folder)).sort((one, other) => other.length - one.length)[0]
}
