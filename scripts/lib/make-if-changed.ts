import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** What is made of what. Absolute paths of files and folders. */
export interface Making {
  readonly inputs: readonly string[]
  readonly outputs: readonly string[]
  /** Where it is noted what was made of what: outside of `outputs`. */
  readonly note: string
}

/**
 * Makes outputs anew unless they are what an earlier making of the same inputs left. Compares contents, not times: a
 * checkout changes times, and an output that somebody has edited or lost is made anew.
 * @returns whether anything was made
 * @throws what `make` throws; then the next one makes them in any case
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

/** Of the names and contents of all files, in order. */
function hashOf(paths: readonly string[]): string {
  const hash = createHash('sha256')
  for (const file of paths.flatMap(filesOf)) {
    const content = readFileSync(file)
    hash.update(JSON.stringify([file, content.length])).update(content)
  }
  return hash.digest('hex')
}

/** A file itself, all files of a folder, nothing of what is not there. */
function filesOf(path: string): readonly string[] {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return []
  if (!stats.isDirectory()) return [path]
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
}
