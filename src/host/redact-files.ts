import { isUtf8 } from 'node:buffer'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { LogPaths } from '../result-log/log-paths.ts'
import { readRegularFile } from '../result-log/read-regular-file.ts'
import { writeLogFile } from '../result-log/write-log-file.ts'
import type { Redact } from '../shared/redact-texts.ts'

/** Files above this size are left as they are. */
const maxBytes = 64 * 1024 * 1024
/** More files than this nobody saves as evidence. */
const maxFiles = 1000

/**
 * Takes secrets out of what an agent wrote itself: its result log and the text files in the folder for evidence.
 * Pictures and other binary files stay as they are. Never rejects: what cannot be rewritten stays.
 */
export async function redactAgentFiles(
  { log, evidence }: Pick<LogPaths, 'log' | 'evidence'>,
  redact: Redact,
): Promise<void> {
  const names = await readdir(evidence, { recursive: true }).catch(() => [])
  const files = [log, ...names.slice(0, maxFiles).map((name) => join(evidence, name))]
  for (const file of files) await redactFile(file, redact).catch(() => undefined)
}

async function redactFile(file: string, redact: Redact): Promise<void> {
  const read = readRegularFile(file, maxBytes)
  if (!read.ok || !isUtf8(read.bytes)) return
  const text = read.bytes.toString('utf8')
  const redacted = redact(text)
  if (redacted === text) return
  await writeLogFile(file, redacted)
}
