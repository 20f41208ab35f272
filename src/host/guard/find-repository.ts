import { existsSync, lstatSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** Where a git repository is, by what is on disk: git itself believes its configuration. */
export interface Repository {
  /** Absolute path of the folder with the entry `.git`. */
  readonly top: string
  /** Absolute path of the folder with the index, which in a work tree of another repository lies elsewhere. */
  readonly gitDir: string
}

/** Finds the repository that a folder belongs to; nothing where there is none. */
export function findRepository(folder: string): Repository | undefined {
  for (let top = realpathSync(folder); ; top = dirname(top)) {
    const entry = join(top, '.git')
    const stats = lstatSync(entry, { throwIfNoEntry: false })
    if (stats?.isFile()) return { top, gitDir: resolve(top, linkedDir(entry)) }
    if (stats !== undefined && existsSync(join(entry, 'HEAD'))) return { top, gitDir: entry }
    if (top === dirname(top)) return undefined
  }
}

function linkedDir(file: string): string {
  return /^gitdir: (.+?)\r?\n?$/.exec(readFileSync(file, 'utf8'))?.[1] ?? '.git'
}

/** Times, size and inode of what changes with what git tracks. Nothing where there is no repository. */
export function indexStamp(repository: Repository | undefined): string | undefined {
  if (repository === undefined) return undefined
  return ['index', 'HEAD'].map((name) => stampOf(join(repository.gitDir, name))).join('\n')
}

function stampOf(file: string): string {
  try {
    const { size, mtimeMs, ctimeMs, ino } = lstatSync(file)
    return [size, mtimeMs, ctimeMs, ino].join(' ')
  } catch {
    return ''
  }
}
