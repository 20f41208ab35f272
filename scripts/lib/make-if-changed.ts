import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Inputs and outputs of a build step, as absolute paths of files or folders. */
export interface Making {
  readonly inputs: readonly string[]
  readonly outputs: readonly string[]
  /** File that records the state of inputs and outputs. It must lie outside of `outputs`. */
  readonly note: string
}

/**
 * Calls `make` unless inputs and outputs are the same as after its last call. Compares contents, not times, because a
 * checkout changes times. Edited or missing outputs are made again.
 * @returns whether `make` was called
 * @throws what `make` throws; the next call then makes the outputs in any case
 */
export async function makeIfChanged({ inputs, outputs, note }: Making, make: () => Promise<void>): Promise<boolean> {
  const before = hashOf(inputs)
  const noteOf = () => JSON.stringify({ node: process.version, inputs: before, outputs: hashOf(outputs) })
  if (existsSync(note) && readFileSync(note, 'utf8') === noteOf()) return false
  rmSync(note, { force: true })
  await make()
  mkdirSync(dirname(note), { recursive: true })
  writeFileSync(note, noteOf())
  return true
}

/** Hash of the names and contents of all files. */
function hashOf(paths: readonly string[]): string {
  const hash = createHash('sha256')
  for (const file of paths.flatMap(filesOf)) {
    const content = readFileSync(file)
    hash.update(JSON.stringify([file, content.length])).update(content)
  }
  return hash.digest('hex')
}

/** Returns a file itself, or all files of a folder; empty if the path does not exist. */
function filesOf(path: string): readonly string[] {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return []
  if (!stats.isDirectory()) return [path]
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
}
