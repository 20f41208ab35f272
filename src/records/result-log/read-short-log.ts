import { isUtf8 } from 'node:buffer'
import { readFileIn } from '../../system/files/read-file.ts'
import { groundOfLog } from './log-ground.ts'

/** More than this belongs into no report. */
const maxBytes = 64 * 1024

/** The text of a result log that is short enough to stand in a report. Never throws. */
export function readShortLog(file: string): string | undefined {
  const reading = readFileIn(groundOfLog(file), file, maxBytes)
  return reading.ok && reading.stats.nlink === 1 && isUtf8(reading.bytes) ? reading.bytes.toString('utf8') : undefined
}
