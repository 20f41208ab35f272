import type { Dirent } from 'node:fs'

export interface LogStem {
  readonly text: string
  readonly second: string
  readonly count: number
}

export function formatStem(now: Date, count: number): string {
  const second = now
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '-')
  return count === 1 ? second : `${second}-${count}`
}

const entryName = /^(?<second>\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ)(?:-(?<count>[2-9]|[1-9]\d+))?(?<suffix>\..+)?$/
const fileSuffixes: readonly string[] = ['.log.md', '.verdict.json', '.journal.jsonl', '.raw.log']
/** Suffix of the temporary file of an atomic write. The file stays behind if the process dies during the write. */
const temporarySuffix = /^\.(?:log\.md|verdict\.json)\.[\da-f-]{36}\.tmp$/

/** Returns name and stem of an entry in a log folder; `undefined` for entries that mdtest does not make. */
export function parseLogEntry(
  entry: Pick<Dirent, 'name' | 'isFile' | 'isDirectory'>,
): { readonly name: string; readonly stem: LogStem } | undefined {
  const { second, count, suffix } = entryName.exec(entry.name)?.groups ?? {}
  if (second === undefined) return undefined
  const isOurs = suffix === undefined ? entry.isDirectory() : entry.isFile() && isOurSuffix(suffix)
  if (!isOurs) return undefined
  const text = suffix === undefined ? entry.name : entry.name.slice(0, -suffix.length)
  return { name: entry.name, stem: { text, second, count: Number(count ?? 1) } }
}

export function stemNamedIn(name: string): string | undefined {
  const { second, count } = entryName.exec(name)?.groups ?? {}
  return second === undefined || count === undefined ? second : `${second}-${count}`
}

function isOurSuffix(suffix: string): boolean {
  return fileSuffixes.includes(suffix) || temporarySuffix.test(suffix)
}

export function compareStems(a: LogStem, b: LogStem): number {
  if (a.second !== b.second) return a.second < b.second ? 1 : -1
  return b.count - a.count
}

/** Folders with result logs: never watched, never searched for tests. */
export const logsGlob = '**/*.logs/**'

export function isLog(path: string): boolean {
  return /\.logs[\\/]/.test(path)
}
