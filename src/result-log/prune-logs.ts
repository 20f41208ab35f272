import { readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { compareStems, formatStem, parseLogEntry } from './log-stem.ts'
import type { LogStem } from './log-stem.ts'

interface Pruning {
  /** Absolute path of the log folder. */
  readonly dir: string
  /** The stem in use. It stays whatever its age. */
  readonly current: string
  readonly keep: number
  readonly keepSince: Date | undefined
}

/** Removes all but the newest `keep` stems of a log folder. What does not look like a file of ours stays. */
export async function pruneLogs(pruning: Pruning): Promise<void> {
  const entries = readdirSync(pruning.dir, { withFileTypes: true }).flatMap((entry) => parseLogEntry(entry) ?? [])
  const old = oldStems(
    entries.map((entry) => entry.stem),
    pruning,
  )
  for (const { name, stem } of entries) {
    if (old.has(stem.text)) await removeQuietly(join(pruning.dir, name))
  }
}

function oldStems(stems: readonly LogStem[], { current, keep, keepSince }: Pruning): ReadonlySet<string> {
  const distinct = [...new Map(stems.map((stem) => [stem.text, stem])).values()].toSorted(compareStems)
  const others = distinct.filter((stem) => stem.text !== current)
  const since = keepSince === undefined ? undefined : formatStem(keepSince, 1)
  const old = others.slice(Math.max(0, keep - 1)).filter((stem) => since === undefined || stem.second < since)
  return new Set(old.map((stem) => stem.text))
}

async function removeQuietly(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true })
  } catch {
    // Another process prunes too, or the file is held open: an old log more does no harm, a failed run would.
  }
}
