import { readFolderIfAny } from '../../system/files/list-files.ts'
import { groundOfLogFolder } from '../result-log/log-ground.ts'
import { logPathsOf } from '../folders/log-paths.ts'
import { compareStems, parseLogEntry } from '../folders/log-stem.ts'
import { readVerdict } from './read-verdict.ts'
import type { VerdictRecord } from './verdict-record.ts'

/** All verdicts in the log folder `dir` (absolute), newest first; those that are missing or bad are left out. */
export async function readVerdicts(dir: string): Promise<readonly VerdictRecord[]> {
  const entries = readFolderIfAny(groundOfLogFolder(dir), dir)
  const stems = entries
    .filter(({ name }) => name.endsWith('.verdict.json'))
    .flatMap((entry) => parseLogEntry(entry)?.stem ?? [])
  const readings = await Promise.all(
    stems.toSorted(compareStems).map(({ text }) => readVerdict(logPathsOf(dir, text).verdict)),
  )
  return readings.flatMap((reading) => (reading.ok ? [reading.record] : []))
}
