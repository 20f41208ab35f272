import { readlinkSync, statSync, type Dirent, type Stats } from 'node:fs'
import { basename, delimiter, join, parse, resolve, sep } from 'node:path'
import { isInside } from '../../system/files/paths.ts'
import { hashFile } from './file-state.ts'
import { entriesOf } from '../../system/files/list-files.ts'

/** The programs that blocks could run by their names, as they were at some time. */
export interface InstalledPrograms {
  readonly folders: readonly string[]
  readonly states: ReadonlyMap<string, ProgramState>
}

interface ProgramState {
  /** Size, times, inode and mode of what is there. */
  readonly stamp: string
  readonly content: string
}

const binFolder = join('node_modules', '.bin')

interface ProgramPlaces {
  readonly root: string
  /** Absolute paths of folders with packages: that of the root, those around it, those of its workspace. */
  readonly packages?: readonly string[]
  readonly path: string | undefined
  readonly home?: string | undefined
}

/**
 * Where commands of blocks may come from and an agent may write: `node_modules/.bin` of packages, which `npx` and npm
 * scripts put on PATH, and the folders of PATH below the root or the home directory.
 */
export function programFolders({ root, packages = [root], path = '', home }: ProgramPlaces): readonly string[] {
  const onPath = path.split(delimiter).filter((entry) => entry !== '')
  const guarded = onPath
    .map((entry) => resolve(root, entry))
    .filter((folder) => isOfPackages(folder) || isBelow(folder, root) || isBelow(folder, home))
  return [...new Set([...packages.map((folder) => join(folder, binFolder)), ...guarded])]
}

/** Whether a folder holds the programs of packages. */
export function isOfPackages(folder: string): boolean {
  return folder.endsWith(`${sep}${binFolder}`)
}

/** Neither a whole root nor a whole disk is a folder of programs. */
function isBelow(folder: string, place: string | undefined): boolean {
  return place !== undefined && place !== parse(place).root && folder !== place && isInside(folder, place)
}

/** Looks at the programs: one call for each folder, two for each program; of those that differ from before the content. */
export function readPrograms(folders: readonly string[], previous?: InstalledPrograms): InstalledPrograms {
  const states = folders.flatMap((folder) =>
    entriesOf(folder)
      .filter(({ name }) => !isLock(name))
      .map((entry): [string, ProgramState] => {
        const path = join(folder, entry.name)
        return [path, stateOf(path, entry, previous?.states.get(path))]
      }),
  )
  return { folders, states: new Map(states) }
}

/** Version managers lay files such as `.pyenv-shim` among programs while they renew them. Nobody calls a program so. */
function isLock(name: string): boolean {
  return name.startsWith('.')
}

export function changedPrograms(before: InstalledPrograms, now: InstalledPrograms): readonly string[] {
  const paths = new Set([...before.states.keys(), ...now.states.keys()])
  return [...paths].filter((path) => before.states.get(path)?.content !== now.states.get(path)?.content)
}

/** Whether another program on PATH has the name of this one. */
export function takesName(file: string, path = ''): boolean {
  const places = path.split(delimiter).filter((folder) => folder !== '')
  return places.map((folder) => join(folder, basename(file))).some((place) => place !== file && isThere(place))
}

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined
}

/** Programs above this size are compared by size, times and inode. */
const maxHashedBytes = 1024 * 1024

function stateOf(path: string, entry: Dirent, before: ProgramState | undefined): ProgramState {
  try {
    const stats = statSync(path)
    const { size, mtimeMs, ctimeMs, ino, dev } = stats
    const leads = entry.isSymbolicLink() ? readlinkSync(path) : ''
    const stamp = [size, mtimeMs, ctimeMs, ino, dev, stats.mode, leads].join(' ')
    return before?.stamp === stamp ? before : { stamp, content: [stats.mode, leads, contentOf(path, stats)].join(' ') }
  } catch {
    return { stamp: '', content: 'leads nowhere' }
  }
}

/** A package may be a link to a store: when another project links it too, that alone changes a time of the inode. */
function contentOf(path: string, stats: Stats): string {
  if (stats.isFile() && stats.size <= maxHashedBytes) return hashFile(path) ?? 'unreadable'
  const { size, mtimeMs, ctimeMs, ino, dev } = stats
  return stats.isFile() ? [size, mtimeMs, ctimeMs, ino, dev].join(' ') : `no file ${ino}`
}
