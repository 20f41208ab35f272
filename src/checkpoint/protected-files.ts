import { basename } from 'node:path'
import type { Checkpoints } from './checkpoints.ts'
import { findProtectedChanges, mayBeProtected, type ChangedFile } from './protected-changes.ts'

/** What somebody did who had to make tests pass. */
export interface Change {
  /** Paths relative to the root, with `/`. */
  readonly paths: readonly string[]
  readonly checkpoints: Pick<Checkpoints, 'read'>
  /** Names of the checkpoints before and after it. */
  readonly before: string
  readonly after: string
  /** Further files that decide what is run, relative to the root. */
  readonly others: readonly string[]
}

/** Which of the changed files are protected: by changing these, red becomes green and nothing is fixed. */
export async function findProtected(change: Change): Promise<readonly string[]> {
  const { paths, others, checkpoints, before, after } = change
  const changed: ChangedFile[] = []
  for (const path of paths.filter(mayBeProtected)) {
    const [old, current] = await Promise.all([checkpoints.read(before, path), checkpoints.read(after, path)])
    changed.push({ path, before: old, after: current })
  }
  const found = new Set([...others, ...findProtectedChanges(changed)])
  return paths.filter((path) => found.has(path))
}

/** Words of a command that name the program it starts, where that may be a file: `sh check.sh`, `./check.sh -v`. */
export function programsOf(command: string): readonly string[] {
  const split = command.split(/\s+|(?=[;&|()])|(?<=[;&|()])/).map((word) => word.replaceAll(/["']/g, ''))
  const words = split.filter((word) => word !== '')
  const isStart = (index: number): boolean => index === 0 || /^[;&|()]$|^\w+=/.test(words[index - 1] ?? '')
  const isInterpreted = (index: number): boolean =>
    index > 0 && interpreters.has(basename(words[index - 1] ?? '')) && isStart(index - 1)
  return words
    .filter((word, index) => !/^[;&|()]$/.test(word) && (isStart(index) || isInterpreted(index)))
    .map((word) => word.replace(/^\.\//, ''))
}

const interpreters: ReadonlySet<string> = new Set('sh bash dash zsh node bun python python3 ruby perl php'.split(' '))
