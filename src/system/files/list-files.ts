import { lstatSync, readdirSync, type Dirent, type Stats } from 'node:fs'
import { join, posix } from 'node:path'
import { orNothing } from '../error-facts.ts'
import { RefusedError } from './file-errors.ts'
import { type Ground, inFolder } from './trusted-folder.ts'

export interface FoundFile {
  readonly name: string
  readonly path: string
  readonly stats: Stats
}

/** @throws RefusedError or a system error if the folder (absolute path) cannot be read */
export function readFolder(ground: Ground, folder: string): readonly Dirent[] {
  return inFolder(ground, folder, (at) => readdirSync(at('.'), { withFileTypes: true }))
}

/** Like `readFolder`, but returns an empty list if the folder is missing, unreadable or reached through a link. */
export function readFolderIfAny(ground: Ground, folder: string): readonly Dirent[] {
  return orNothing(() => readFolder(ground, folder)) ?? []
}

/** Follows links. Returns an empty list if the folder is unreadable. */
export function entriesOf(folder: string): readonly Dirent[] {
  return orNothing(() => readdirSync(folder, { withFileTypes: true })) ?? []
}

const foreignFolders: ReadonlySet<string> = new Set(['.git', 'node_modules'])

/** Yields the regular files at any depth, except in `.git` and `node_modules`. */
export function* filesBelow(folder: string): Generator<string> {
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name)
    if (entry.isFile()) yield path
    else if (entry.isDirectory() && !foreignFolders.has(entry.name)) yield* filesBelow(path)
  }
}

/** Lists files below a folder (absolute path), the top level first. Does not follow links and never throws. */
export function listFiles(
  ground: Ground,
  folder: string,
  { maxFiles }: { readonly maxFiles: number },
): { readonly files: readonly FoundFile[]; readonly refused?: string } {
  const files: FoundFile[] = []
  const queue = ['']
  let refused: string | undefined
  for (let inner = queue.shift(); inner !== undefined && files.length < maxFiles; inner = queue.shift()) {
    try {
      for (const found of listOne(ground, join(folder, inner), inner)) {
        if (found.stats.isDirectory()) queue.push(found.name)
        else files.push(found)
      }
    } catch (error: unknown) {
      if (error instanceof RefusedError) refused ??= error.message
    }
  }
  return { files: files.slice(0, maxFiles), ...(refused !== undefined && { refused }) }
}

function listOne(ground: Ground, folder: string, inner: string): readonly FoundFile[] {
  return inFolder(ground, folder, (at) =>
    readdirSync(at('.')).flatMap((name) => {
      const stats = lstatSync(at(name), { throwIfNoEntry: false })
      // The file may have been removed after the listing.
      return stats === undefined ? [] : [{ name: posix.join(inner, name), path: join(folder, name), stats }]
    }),
  )
}
