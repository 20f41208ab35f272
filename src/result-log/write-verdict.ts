import { mkdir, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { VerdictRecord } from './verdict-record.ts'
import { writeLogFile } from './write-log-file.ts'

/**
 * Writes the verdict to the absolute path `file`, in place of whatever is there. For the time when the agent and all
 * it started are gone.
 *
 * @throws MdtestError `LOG_UNWRITABLE` when it cannot be written: what an agent put there must not be taken for it.
 */
export async function writeVerdict(file: string, record: VerdictRecord): Promise<void> {
  await removeVerdict(file)
  await writeLogFile(file, `${JSON.stringify(record, undefined, 2)}\n`)
}

/** Removes what an agent put in the place of the verdict, and makes the folder where that is gone. Never rejects. */
export async function removeVerdict(file: string): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true })
    await rm(file, { recursive: true, force: true })
  } catch {
    // Writing the verdict fails as well, and says why.
  }
}
