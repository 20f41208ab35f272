import { describeFileProblem } from '../folders/describe-file-problem.ts'
import { readFileIn } from '../../system/files/read-file.ts'
import type { Ground } from '../../system/files/ground.ts'
import { groundOfLog } from '../result-log/log-ground.ts'
import { verdictRecordSchema } from './verdict-record-schema.ts'
import type { VerdictRecord } from './verdict-record.ts'

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
