import { relative, sep } from 'node:path'

/** The path of a file relative to a folder, with `/` on each system. */
export function pathIn(folder: string, file: string): string {
  return relative(folder, file).split(sep).join('/')
}
