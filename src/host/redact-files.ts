import { isUtf8 } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { LogPaths } from '../result-log/log-paths.ts'
import { readRegularFile } from '../result-log/read-regular-file.ts'
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
  // Not in place: under the same name there may be a link to a file of the product.
  const temporary = `${file}.${randomUUID()}.tmp`
  try {
    await writeFile(temporary, redacted, { flag: 'wx' })
    await rename(temporary, file)
  } finally {
    await rm(temporary, { force: true })
  }
}
