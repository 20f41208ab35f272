import { readdirSync, readlinkSync, statSync, type Dirent } from 'node:fs'
import { delimiter, join, sep } from 'node:path'

/** The programs that packages brought along, as they were at some time. */
export interface InstalledPrograms {
  /** Absolute paths of the folders that hold them, there or not. */
  readonly folders: readonly string[]
  /** By absolute path: where it leads, and size, time and inode of what is there. */
  readonly stamps: ReadonlyMap<string, string>
}

const binFolder = join('node_modules', '.bin')

/**
 * Where commands of blocks may come from before any other place: the `node_modules/.bin` of the root, and those that
 * `npx` and npm scripts put on PATH.
 */
export function programFolders(root: string, path = ''): readonly string[] {
  const onPath = path.split(delimiter).filter((folder) => folder.endsWith(`${sep}${binFolder}`))
  return [...new Set([join(root, binFolder), ...onPath])]
}

/** Looks at the programs: one call for each folder, two for each program. */
export function readPrograms(folders: readonly string[]): InstalledPrograms {
  const stamps = folders.flatMap((folder) =>
    entriesOf(folder).map((entry): [string, string] => [join(folder, entry.name), stampOf(folder, entry)]),
  )
  return { folders, stamps: new Map(stamps) }
}

/** Absolute paths of the programs that were added, removed or changed. */
export function changedPrograms(before: InstalledPrograms, now: InstalledPrograms): readonly string[] {
  const paths = new Set([...before.stamps.keys(), ...now.stamps.keys()])
  return [...paths].filter((path) => before.stamps.get(path) !== now.stamps.get(path))
}

/** Synchronous like all that looks at many files: the promises would take longer than the calls. */
function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    // Not there, or not to be read: no command is found in it either.
    return []
  }
}

function stampOf(folder: string, entry: Dirent): string {
  const path = join(folder, entry.name)
  try {
    const target = entry.isSymbolicLink() ? readlinkSync(path) : ''
    // Not the time of the inode: packages may be links to a store that other projects use.
    const { size, mtimeMs, ino, dev, mode } = statSync(path)
    return [size, mtimeMs, ino, dev, mode, target].join(' ')
  } catch {
    return 'leads nowhere'
  }
}
