import { clearPlace } from '../folders/clear-place.ts'
import type { LogPaths } from '../folders/log-paths.ts'
import type { VerdictRecord } from './verdict-record.ts'
import { writeLogFile } from '../folders/write-log-file.ts'

/**
 * Writes the verdict in place of whatever is there. For the time when the agent and all it started are gone.
 *
 * @throws MdtestError `LOG_UNWRITABLE` when it cannot be written: what an agent put there must not be taken for it.
 */
export function writeVerdict({ ground, verdict }: Pick<LogPaths, 'ground' | 'verdict'>, record: VerdictRecord): void {
  clearPlace(ground, verdict)
  writeLogFile(ground, verdict, `${JSON.stringify(record, undefined, 2)}\n`)
}
