import { join } from 'node:path'
import { orNothing } from '../../system/error-facts.ts'
import type { Ground } from '../../system/files/trusted-folder.ts'
import { readFolder } from '../../system/files/list-files.ts'
import { readFileIn } from '../../system/files/read-file.ts'
import { removeIn } from '../../system/files/remove-files.ts'
import { appendFile, createFile, makeNewFolder, replaceFile } from '../../system/files/write-file.ts'
import { formatStem, newestFirst, stemOf } from './log-names.ts'

interface Pruning {
  readonly parent: string
  readonly ground: Ground
  readonly current: string
  readonly keep: number
  readonly keepSince?: Date | undefined
}

/** Makes a folder named after the time and removes old folders. No other process gets this name. @returns the name */
export function makeRunFolder({ parent, ground, keep }: Omit<Pruning, 'current'>, now: Date): string {
  for (let count = 1; ; count += 1) {
    const stem = formatStem(now, count)
    if (!makeNewFolder(ground, join(parent, stem))) continue
    registerRun(ground, parent, stem)
    pruneRunFolders({ parent, ground, current: stem, keep })
    return stem
  }
}

export function pruneRunFolders({ parent, ground, current, keep, keepSince }: Pruning): void {
  const registered = registeredRuns(ground, parent)
  const entries = readFolder(ground, parent).flatMap((entry) => {
    const stem = stemOf(entry)
    return stem !== undefined && registered.has(stem) ? [{ name: entry.name, stem }] : []
  })
  const stems = new Set(entries.map(({ stem }) => stem))
  const others = [...stems].filter((stem) => stem !== current).toSorted(newestFirst)
  const since = keepSince && formatStem(keepSince, 1)
  const old = new Set(others.slice(keep - 1).filter((stem) => since === undefined || stem < since))
  for (const { name, stem } of entries) {
    // Ignore errors, because an old run that is left does no harm. Another process may be removing the same run.
    if (old.has(stem)) orNothing(() => removeIn(ground, join(parent, name)))
  }
  orNothing(() => shortenRegister(ground, parent, { registered, names: stems }))
}

/** This file lists the runs of mdtest in a folder. Other folders with similar names belong to the user. */
export const registerName = '.mdtest-runs'

const head = '# Runs that mdtest made in this folder. It removes only runs that are listed here.\n'
/** Real registers are far smaller. A larger file was written by somebody else, and is ignored. */
const maxBytes = 4 * 1024 * 1024
const maxNames = 1000

/** Registers a run before its first file is made. @throws RefusedError, or the error of the file system */
export function registerRun(ground: Ground, folder: string, name: string): void {
  const file = join(folder, registerName)
  if (createFile(ground, file, `${head}${name}\n`)) return
  try {
    appendFile(ground, file, `${name}\n`)
  } catch {
    // Replace a link or a file of somebody else. What it contains does not matter.
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
