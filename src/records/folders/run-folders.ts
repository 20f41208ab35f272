import { join } from 'node:path'
import { orNothing } from '../../system/error-facts.ts'
import type { Ground } from '../../system/files/ground.ts'
import { readFolder } from '../../system/files/list-files.ts'
import { readFileIn } from '../../system/files/read-file.ts'
import { appendFile, createFile, makeNewFolder, removeIn, replaceFile } from '../../system/files/write-file.ts'
import { compareStems, formatStem, parseLogEntry, type LogStem } from './log-names.ts'

export interface RunsPlace {
  readonly parent: string
  readonly ground: Ground
}

/** Makes a folder named by a time, also against other processes, and notes that it is ours. @returns its name */
export function makeRunFolder({ parent, ground }: RunsPlace, now: Date): string {
  for (let count = 1; ; count += 1) {
    const stem = formatStem(now, count)
    if (!makeNewFolder(ground, join(parent, stem))) continue
    registerRun(ground, parent, stem)
    return stem
  }
}

interface Pruning extends RunsPlace {
  readonly current: string
  readonly keep: number
  readonly keepSince?: Date | undefined
}

/** Removes the files and folders of old runs: of those that mdtest made there, and noted. */
export function pruneRunFolders(pruning: Pruning): void {
  const { parent, ground } = pruning
  const registered = registeredRuns(ground, parent)
  const entries = readFolder(ground, parent)
    .flatMap((entry) => parseLogEntry(entry) ?? [])
    .filter(({ stem }) => registered.has(stem.text))
  const stems = new Map(entries.map(({ stem }) => [stem.text, stem]))
  const old = oldStems([...stems.values()], pruning)
  for (const { name, stem } of entries) {
    // Another process prunes too, or a file is held open: an old run more does no harm, a failed one would.
    if (old.has(stem.text)) orNothing(() => removeIn(ground, join(parent, name)))
  }
  orNothing(() => shortenRegister(ground, parent, { registered, names: new Set(stems.keys()) }))
}

function oldStems(stems: readonly LogStem[], { current, keep, keepSince }: Pruning): ReadonlySet<string> {
  const others = stems.filter(({ text }) => text !== current).toSorted(compareStems)
  const since = keepSince && formatStem(keepSince, 1)
  const old = others.slice(keep - 1).filter(({ second }) => since === undefined || second < since)
  return new Set(old.map(({ text }) => text))
}

/** The file that says which runs mdtest made in a folder: names that only look like ours are somebody's own. */
export const registerName = '.mdtest-runs'

const head = '# Runs that mdtest made in this folder. It removes none that is not named here.\n'
/** More names than folders keep; a register that was written over is none. */
const maxBytes = 4 * 1024 * 1024
/** With more names than this the register is written anew, with those that are still there. */
const maxNames = 1000

/** Notes a run before it makes its first file. @throws RefusedError, or what the system does */
export function registerRun(ground: Ground, folder: string, name: string): void {
  const file = join(folder, registerName)
  if (createFile(ground, file, `${head}${name}\n`)) return
  try {
    appendFile(ground, file, `${name}\n`)
  } catch {
    // A link, or the name of somebody's file: what it held was not ours.
    replaceFile(ground, file, `${head}${name}\n`)
  }
}

export function registeredRuns(ground: Ground, folder: string): ReadonlySet<string> {
  const read = readFileIn(ground, join(folder, registerName), maxBytes)
  if (!read.ok || read.stats.nlink > 1) return new Set()
  return new Set(read.bytes.toString('utf8').split('\n'))
}

export function shortenRegister(
  ground: Ground,
  folder: string,
  { registered, names }: { readonly registered: ReadonlySet<string>; readonly names: ReadonlySet<string> },
): void {
  if (registered.size < maxNames) return
  const left = [...registered].filter((name) => names.has(name))
  replaceFile(ground, join(folder, registerName), `${head}${left.map((name) => `${name}\n`).join('')}`)
}
