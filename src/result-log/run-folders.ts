import { mkdirSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { compareStems, formatStem, parseLogEntry } from './log-stem.ts'

/**
 * Makes a folder named by a time, also against other processes.
 *
 * @param parent absolute path of a folder that is there
 * @returns its name
 */
export function makeRunFolder(parent: string, now: Date): string {
  for (let count = 1; ; count += 1) {
    const stem = formatStem(now, count)
    try {
      mkdirSync(join(parent, stem))
      return stem
    } catch (error: unknown) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    }
  }
}

interface Pruning {
  /** Name of the folder of this run. */
  readonly current: string
  /** How many of the newest stay, the current one included; from 1. */
  readonly keep: number
  /** Whether a folder of such a name may be removed. */
  readonly isOurs?: (name: string) => boolean
}

/** Removes old folders that are named like those of `makeRunFolder`. */
export async function pruneRunFolders(parent: string, { current, keep, isOurs = () => true }: Pruning): Promise<void> {
  const others = readdirSync(parent, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== current && isOurs(entry.name))
    .flatMap((entry) => parseLogEntry(entry) ?? [])
    .toSorted((a, b) => compareStems(a.stem, b.stem))
  for (const { name } of others.slice(keep - 1)) {
    // Another process removes it too, or holds it open: an old one more does no harm.
    await rm(join(parent, name), { recursive: true, force: true }).catch(() => undefined)
  }
}
