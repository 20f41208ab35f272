import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
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
  readonly name: string
  /** Size in bytes; absent for what is no regular file. */
  readonly bytes?: number
}

/** What is in the folder for evidence, by name; nothing where there is no folder. */
export async function listEvidence(dir: string): Promise<readonly EvidenceFile[]> {
  const entries = await readdir(dir, { withFileTypes: true }).catch(() => [])
  const files = entries.map(async (entry): Promise<EvidenceFile> => {
    if (!entry.isFile()) return { name: entry.name }
    const stats = await stat(join(dir, entry.name)).catch(() => undefined)
    return { name: entry.name, ...(stats && { bytes: stats.size }) }
  })
  return (await Promise.all(files)).toSorted((one, other) => (one.name < other.name ? -1 : 1))
}
