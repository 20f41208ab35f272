import { groundOfLog } from '../result-log/log-ground.ts'
import { type LogPaths } from '../folders/log-paths.ts'
import type { VerdictRecord } from './verdict-record.ts'
import { describeFileProblem } from '../folders/describe-file-problem.ts'
import { readFileIn } from '../../system/files/read-file.ts'
import type { Ground } from '../../system/files/ground.ts'
import { verdictRecordSchema } from './verdict-record-schema.ts'
import { clearPlace, writeLogFile } from '../folders/write-log-file.ts'

/** What reading a verdict gave. */
export type VerdictReading =
  | { readonly ok: true; readonly record: VerdictRecord }
  /** `message` says what is wrong. */
  | { readonly ok: false; readonly message: string }

/** Thousands of steps with long diffs stay below this size. */
const maxVerdictBytes = 64 * 1024 * 1024

/** Reads the verdict at the absolute path `file`. Never throws and never hangs, whatever is there. */
export async function readVerdict(file: string, ground: Ground = groundOfLog(file)): Promise<VerdictReading> {
  const read = readFileIn(ground, file, maxVerdictBytes)
  if (read.ok) return parseVerdict(read.bytes.toString('utf8'))
  const missing = 'There is no verdict: the run did not come to its end.'
  return { ok: false, message: describeFileProblem(read, { what: 'verdict', maxBytes: maxVerdictBytes, missing }) }
}

function parseVerdict(text: string): VerdictReading {
  const parsed = verdictRecordSchema.safeParse(parseJson(text))
  if (parsed.success) return { ok: true, record: parsed.data }
  return { ok: false, message: 'The verdict is not of the form that this version of mdtest writes.' }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // No version of mdtest wrote this.
    return undefined
  }
}

/**
 * Writes the verdict in place of whatever is there. For the time when the agent and all it started are gone.
 *
 * @throws MdtestError `LOG_UNWRITABLE` when it cannot be written: what an agent put there must not be taken for it.
 */
export function writeVerdict({ ground, verdict }: Pick<LogPaths, 'ground' | 'verdict'>, record: VerdictRecord): void {
  clearPlace(ground, verdict)
  writeLogFile(ground, verdict, `${JSON.stringify(record, undefined, 2)}\n`)
}
