import { join } from 'node:path'
import type { Ground } from '../../system/files/ground.ts'
import { readFolder } from '../../system/files/list-files.ts'
import { compareStems, formatStem, parseLogEntry, type LogStem } from './log-names.ts'
import { registeredRuns, shortenRegister } from './run-register.ts'
import { removeIn } from '../../system/files/write-file.ts'

interface Pruning {
  /** Absolute path of the log folder. */
  readonly dir: string
  readonly ground: Ground
  /** The stem in use. It stays whatever its age. */
  readonly current: string
  readonly keep: number
  readonly keepSince: Date | undefined
}

/** Removes all but the newest `keep` stems of a log folder: of those that mdtest made there, and noted. */
export function pruneLogs(pruning: Pruning): void {
  const { dir, ground } = pruning
  const registered = registeredRuns(ground, dir)
  const entries = readFolder(ground, dir)
    .flatMap((entry) => parseLogEntry(entry) ?? [])
    .filter(({ stem }) => registered.has(stem.text))
  const stems = entries.map(({ stem }) => stem)
  const old = oldStems(stems, pruning)
  for (const { name, stem } of entries) {
    if (old.has(stem.text)) quietly(() => removeIn(ground, join(dir, name)))
  }
  const names = new Set(stems.map(({ text }) => text))
  quietly(() => shortenRegister(ground, dir, { registered, names }))
}

function oldStems(stems: readonly LogStem[], { current, keep, keepSince }: Pruning): ReadonlySet<string> {
  const distinct = [...new Map(stems.map((stem) => [stem.text, stem])).values()].toSorted(compareStems)
  const others = distinct.filter((stem) => stem.text !== current)
  const since = keepSince === undefined ? undefined : formatStem(keepSince, 1)
  const old = others.slice(Math.max(0, keep - 1)).filter((stem) => since === undefined || stem.second < since)
  return new Set(old.map((stem) => stem.text))
}

/** Another process prunes too, or a file is held open: an old log more does no harm, a failed run would. */
function quietly(prune: () => void): void {
  try {
    prune()
  } catch {
    // See above.
  }
}
