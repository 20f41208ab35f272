import { clearPlace } from './clear-place.ts'
import type { VerdictRecord } from './verdict-record.ts'
import { writeLogFile } from './write-log-file.ts'

/**
 * Writes the verdict to the absolute path `file`, in place of whatever is there. For the time when the agent and all
 * it started are gone.
 *
 * @throws MdtestError `LOG_UNWRITABLE` when it cannot be written: what an agent put there must not be taken for it.
 */
export async function writeVerdict(file: string, record: VerdictRecord): Promise<void> {
  await clearPlace(file)
  await writeLogFile(file, `${JSON.stringify(record, undefined, 2)}\n`)
}
