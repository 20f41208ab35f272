import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'

/** Files by others, which are not ours to keep here, by their paths from the folder. */
export interface PublicFiles {
  /** Why there are none, for the end of a title; empty where there are some. */
  readonly skipReason: string
  readonly files: Readonly<Record<string, string>>
}

/**
 * Files below the folder that a variable of the environment names.
 *
 * @param isOne whether a path from that folder, with `/`, is one of them
 * @throws {Error} where the folder has none
 */
export function readPublicFiles(variable: string, isOne: (path: string) => boolean): PublicFiles {
  const named = process.env[variable]
  if (named === undefined) return { skipReason: ` (skipped: ${variable} names no folder with some)`, files: {} }
  const folder = resolve(named)
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
    .filter(isOne)
    .toSorted()
  if (paths.length === 0) throw new Error(`${variable} names ${folder}, which has none of these files`)
  return {
    skipReason: '',
    files: Object.fromEntries(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')])),
  }
}
