import { isAbsolute, relative, sep } from 'node:path'

/** Whether `path` is `folder` or below it. Both absolute; links are not followed. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/** The path of a file relative to a folder, with `/` on each system. */
export function pathIn(folder: string, file: string): string {
  return relative(folder, file).split(sep).join('/')
}
