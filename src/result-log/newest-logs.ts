import { readdir, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { logPathsOf, type LogPaths } from './log-paths.ts'
import { compareStems, parseLogEntry } from './log-stem.ts'

/** The newest run in the log folder `dir` (absolute), whatever of it is there; nothing where there is none. */
export async function newestLogs(dir: string): Promise<LogPaths | undefined> {
  // A folder that is missing or cannot be read holds no run that could be shown.
  const entries = await readdir(dir, { withFileTypes: true }).catch(() => [])
  const [newest] = entries.flatMap((entry) => parseLogEntry(entry)?.stem ?? []).toSorted(compareStems)
  return newest && logPathsOf(dir, newest.text)
}

/** Something in the folder for evidence. */
export interface EvidenceFile {
  /** Path in the folder, with slashes. */
  readonly name: string
  /** Size in bytes; absent for what is no regular file. */
  readonly bytes?: number
}

/** Files and whatever else is in the folder for evidence (absolute), by name; nothing where there is no folder. */
export async function listEvidence(dir: string): Promise<readonly EvidenceFile[]> {
  const entries = await readdir(dir, { withFileTypes: true, recursive: true }).catch(() => [])
  const files = entries
    .filter((entry) => !entry.isDirectory())
    .map(async (entry): Promise<EvidenceFile> => {
      const path = join(entry.parentPath, entry.name)
      const name = relative(dir, path).split(sep).join('/')
      const stats = entry.isFile() ? await stat(path).catch(() => undefined) : undefined
      return { name, ...(stats && { bytes: stats.size }) }
    })
  return (await Promise.all(files)).toSorted((one, other) => (one.name < other.name ? -1 : 1))
}
