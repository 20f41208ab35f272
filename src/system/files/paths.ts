import { orNothing } from '../error-facts.ts'
import { dirname, isAbsolute, relative, sep, delimiter, resolve } from 'node:path'
import { lstatSync, statSync, type Stats, accessSync, constants } from 'node:fs'

/** Whether `path` is `folder` or below it. Both are absolute; links are not resolved. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

export function pathIn(folder: string, file: string): string {
  return relative(folder, file).split(sep).join('/')
}

/** The nearest folder at or above `folder` that contains `.git`; `folder` itself if there is none. */
export function repositoryOf(folder: string, at = folder): string {
  if (isTaken(resolve(at, '.git'))) return at
  return dirname(at) === at ? folder : repositoryOf(folder, dirname(at))
}

export function isTaken(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

/** Follows links. `undefined` if there is no such file or the path is invalid. */
export function statsOf(path: string): Stats | undefined {
  return orNothing(() => statSync(path))
}

/** As in POSIX, an empty entry of PATH means `cwd`. */
export function findOnPath(bin: string, where: { readonly path: string; readonly cwd: string }): string | undefined {
  // A name that ends with a slash is a folder, not a program.
  if (bin === '' || bin.endsWith('/')) return undefined
  const entries = bin.includes('/') ? [''] : where.path.split(delimiter)
  return entries.map((entry) => resolve(where.cwd, entry, bin)).find(isExecutable)
}

function isExecutable(file: string): boolean | undefined {
  return orNothing(() => {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  })
}
