import { describeFileProblem } from '../folders/describe-file-problem.ts'
import { parseJournal, type ParsedJournal } from './journal.ts'
import { readFileIn } from '../../system/files/read-file.ts'
import type { Ground } from '../../system/files/ground.ts'
import { groundOfLog } from '../result-log/log-ground.ts'

/** What reading a journal gave. */
export type JournalReading =
  | ({ readonly ok: true } & ParsedJournal)
  /** `message` says what is wrong. */
  | { readonly ok: false; readonly message: string }

/** A journal above this size is not read. */
const maxJournalBytes = 256 * 1024 * 1024

/** Reads the journal at the absolute path `file`. Never throws and never hangs; bytes that are no UTF-8 are replaced. */
export async function readJournal(file: string, ground: Ground = groundOfLog(file)): Promise<JournalReading> {
  const read = readFileIn(ground, file, maxJournalBytes)
  if (read.ok) return { ok: true, ...parseJournal(read.bytes.toString('utf8')) }
  const missing = 'There is no journal.'
  return { ok: false, message: describeFileProblem(read, { what: 'journal', maxBytes: maxJournalBytes, missing }) }
}
