import { isUtf8 } from 'node:buffer'
import type { LogPaths } from '../../records/folders/log-paths.ts'
import { listFiles } from '../../system/files/list-files.ts'
import { readFileIn } from '../../system/files/read-file.ts'
import { replaceFile } from '../../system/files/write-file.ts'
import type { Redact } from '../../system/redaction/redact-texts.ts'
import { orNothing } from '../../system/error-facts.ts'

const maxBytes = 64 * 1024 * 1024
/** New content of a file that contained a secret and has a second hard link. */
const elsewhere = 'This file had a second hard link and contained a secret. Its content was removed.\n'
const maxFiles = 1000

/** Hides secrets in the agent's log and in text files of the evidence folder. Skips links and unwritable files. */
export function redactAgentFiles(
  { ground, log, evidence }: Pick<LogPaths, 'ground' | 'log' | 'evidence'>,
  redact: Redact,
): void {
  const files = listFiles(ground, evidence, { maxFiles }).files.filter(({ stats }) => stats.isFile())
  for (const file of [log, ...files.map(({ path }) => path)])
    orNothing(() => {
      const read = readFileIn(ground, file, maxBytes)
      if (!read.ok || !isUtf8(read.bytes)) return
      const text = read.bytes.toString('utf8')
      const redacted = redact(text)
      if (redacted === text) return
      const content = read.stats.nlink > 1 ? elsewhere : redacted
      replaceFile(ground, file, { content, mode: read.stats.mode & 0o777 })
    })
}
