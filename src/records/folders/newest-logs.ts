import { listFiles, readFolderIfAny } from '../../system/files/list-files.ts'
import type { Ground } from '../../system/files/ground.ts'
import { groundOfLog, groundOfLogFolder } from '../result-log/log-ground.ts'
import { logPathsOf, type LogPaths } from './log-paths.ts'
import { compareStems, parseLogEntry } from './log-names.ts'

/** The newest run in the log folder `dir` (absolute), whatever of it is there; nothing where there is none. */
export function newestLogs(dir: string): LogPaths | undefined {
  // A folder that is missing, a link or cannot be read holds no run that could be shown.
  const entries = readFolderIfAny(groundOfLogFolder(dir), dir)
  const [newest] = entries.flatMap((entry) => parseLogEntry(entry)?.stem ?? []).toSorted(compareStems)
  return newest && logPathsOf(dir, newest.text)
}

/** Something in the folder for evidence. */
export interface EvidenceFile {
  /** Path in the folder, with slashes. */
  readonly name: string
  /** Size in bytes; absent for what is no regular file of its own: a link, a pipe, a file that has another name, too. */
  readonly bytes?: number
}

/** What is in the folder for evidence. */
export interface FoundEvidence {
  readonly files: readonly EvidenceFile[]
  /** Why not all of it is known: a sentence. */
  readonly refused?: string
}

/** More files are not shown. */
const maxFiles = 100_000

/** Files and whatever else is in the folder for evidence (absolute), by name; nothing where there is no folder. */
export function listEvidence(dir: string, ground: Ground = groundOfLog(dir)): FoundEvidence {
  const { files, refused } = listFiles(ground, dir, { maxFiles })
  const named = files.map(({ name, stats }) => ({
    name,
    ...(stats.isFile() && stats.nlink === 1 && { bytes: stats.size }),
  }))
  return {
    files: named.toSorted((one, other) => (one.name < other.name ? -1 : 1)),
    ...(refused !== undefined && { refused }),
  }
}
