import type { Dirent } from 'node:fs'

/** Names a run after its UTC time: `2026-02-10T14-30-00Z`, or `2026-02-10T14-30-00Z-2` if that name is taken. */
export function formatStem(now: Date, count: number): string {
  const second = now
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '-')
  return count === 1 ? second : `${second}-${count}`
}

const entryName = /^(?<stem>\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ(?:-(?:[2-9]|[1-9]\d+))?)(?<suffix>\..+)?$/
const fileSuffixes: readonly string[] = ['.log.md', '.verdict.json', '.journal.jsonl', '.raw.log']
/** Ending of the temporary file of an atomic write. Such a file stays if the process dies while writing. */
const temporarySuffix = /^\.(?:log\.md|verdict\.json)\.[\da-f-]{36}\.tmp$/

/** Returns the name of the run from the name of its file or folder; `undefined` if mdtest makes no such files. */
export function stemOf(entry: Pick<Dirent, 'name' | 'isFile' | 'isDirectory'>): string | undefined {
  const { stem, suffix } = entryName.exec(entry.name)?.groups ?? {}
  const isOurs =
    suffix === undefined
      ? entry.isDirectory()
      : entry.isFile() && (fileSuffixes.includes(suffix) || temporarySuffix.test(suffix))
  return isOurs ? stem : undefined
}

export function stemNamedIn(name: string): string | undefined {
  return entryName.exec(name)?.groups?.['stem']
}

let collator: Intl.Collator | undefined

export function newestFirst(oneStem: string, otherStem: string): number {
  return (collator ??= new Intl.Collator('en', { numeric: true })).compare(otherStem, oneStem)
}

/** Folders with result logs. They are not watched, and not searched for tests. */
export const logsGlob = '**/*.logs/**'

export function isLog(path: string): boolean {
  return /\.logs[\\/]/.test(path)
}
