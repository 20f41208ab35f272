import { join } from 'node:path'
import type { Ground } from '../../system/files/ground.ts'
import { readFolder } from '../../system/files/list-files.ts'
import { compareStems, formatStem, parseLogEntry } from './log-names.ts'
import { registeredRuns, registerRun, shortenRegister } from './run-register.ts'
import { removeIn, makeNewFolder } from '../../system/files/write-file.ts'

/** Where folders of runs are. */
export interface RunsPlace {
  /** Absolute path of a folder that is there. */
  readonly parent: string
  /** Below it no link is followed. */
  readonly ground: Ground
}

/**
 * Makes a folder named by a time, also against other processes, and notes that it is ours.
 *
 * @returns its name
 */
export function makeRunFolder({ parent, ground }: RunsPlace, now: Date): string {
  for (let count = 1; ; count += 1) {
    const stem = formatStem(now, count)
    if (!makeNewFolder(ground, join(parent, stem))) continue
    registerRun(ground, parent, stem)
    return stem
  }
}

interface Pruning extends RunsPlace {
  /** Name of the folder of this run. */
  readonly current: string
  /** How many of the newest stay, the current one included; from 1. */
  readonly keep: number
}

/** Removes old folders that `makeRunFolder` made. */
export function pruneRunFolders({ parent, ground, current, keep }: Pruning): void {
  const registered = registeredRuns(ground, parent)
  const ours = readFolder(ground, parent)
    .filter((entry) => entry.isDirectory() && registered.has(entry.name))
    .flatMap((entry) => parseLogEntry(entry) ?? [])
    .toSorted((a, b) => compareStems(a.stem, b.stem))
  const others = ours.filter(({ name }) => name !== current)
  for (const { name } of others.slice(keep - 1)) quietly(() => removeIn(ground, join(parent, name)))
  quietly(() => shortenRegister(ground, parent, { registered, names: new Set(ours.map(({ name }) => name)) }))
}

/** Another process removes it too, or holds it open: an old one more does no harm. */
function quietly(prune: () => void): void {
  try {
    prune()
  } catch {
    // See above.
  }
}
