import { closeSync, openSync, readSync, lstatSync, realpathSync } from 'node:fs'
import { basename, delimiter, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findOnPath, statsOf, isInside } from '../../system/files/paths.ts'

interface Place {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

/** Files and folders that words of a command line name, as absolute paths: `file`, `--flag=file`, a URL of a file. */
export function namedFiles(words: readonly string[], { cwd, env }: Place): readonly string[] {
  const names = words.flatMap((word) => [word, word.slice(word.indexOf('=') + 1)])
  const paths = names.flatMap((name) => {
    const path = name.startsWith('file:') ? pathOf(name) : name
    return path === undefined || path === '' ? [] : [resolve(cwd, path), ...onPath(path, { cwd, env })]
  })
  return [...new Set(paths)].filter((path) => realOf(path) !== undefined)
}

/** Files that variables name by their whole value: certificates, keys. */
export function filesOfVariables(env: Place['env']): readonly string[] {
  return Object.values(env).filter((value) => isAbsolute(value) && isFile(value))
}

/** A program is a script, at most in so many steps: Linux goes no further. */
const maxScripts = 4

/** What starts these files, where they are scripts that tell it in their first line. */
export function interpretersOf(files: readonly string[], place: Place): readonly string[] {
  const found = new Set<string>()
  let next = files
  for (let step = 0; step < maxScripts; step += 1) {
    next = next.flatMap((file) => interpreters(file, place)).filter((file) => !found.has(file))
    for (const file of next) found.add(file)
  }
  return [...found]
}

/**
 * What a program, by its real path, may load in the one of these folders that it lies in: whatever is there under the same
 * name as it, since nobody can know where its package begins. Nothing where it lies elsewhere.
 */
export function surroundingsOf(file: string, folders: readonly string[]): string | undefined {
  const folder = folderAround(file, folders)
  return folder === undefined ? undefined : join(folder, relative(folder, file).split(sep)[0] ?? '')
}

function interpreters(file: string, place: Place): readonly string[] {
  const words = firstLine(file)?.slice(2).trim().split(/\s+/) ?? []
  const [program = ''] = words
  if (basename(program) !== 'env') return isAbsolute(program) ? [program] : []
  return [program, ...words.slice(1).flatMap((word) => onPath(word, place))]
}

function firstLine(file: string): string | undefined {
  // To open a pipe is to wait.
  if (!isFile(file)) return undefined
  const start = Buffer.alloc(256)
  try {
    const opened = openSync(file, 'r')
    try {
      readSync(opened, start)
    } finally {
      closeSync(opened)
    }
  } catch {
    return undefined // It cannot be read by us either.
  }
  const [line = ''] = start.toString('latin1').split('\n')
  return line.startsWith('#!') ? Buffer.from(line, 'latin1').toString('utf8') : undefined
}

function onPath(name: string, { cwd, env }: Place): readonly string[] {
  if (name.includes(sep) || name.includes('\0')) return []
  const found = findOnPath(name, { path: env.PATH ?? '', cwd })
  return found === undefined ? [] : [found]
}

export function programFolders({ PATH: path = '' }: Place['env']): readonly string[] {
  return path.split(delimiter).filter((folder) => isAbsolute(folder))
}

function pathOf(url: string): string | undefined {
  try {
    return fileURLToPath(url)
  } catch {
    return undefined
  }
}

function isFile(path: string): boolean {
  return statsOf(path)?.isFile() === true
}

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

export interface Link {
  /** Absolute path; only its last name is a link. */
  readonly path: string
  readonly end: string
}

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
  } catch {}
  return links
}

/** The deepest of these real folders that a path is below; nothing where it is one of them. */
export function folderAround(path: string, folders: readonly string[]): string | undefined {
  if (folders.includes(path)) return undefined
  return folders.filter((folder) => isInside(path, folder)).sort((one, other) => other.length - one.length)[0]
}
