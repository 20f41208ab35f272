import { isUtf8 } from 'node:buffer'
import type { Ground } from '../../system/files/trusted-folder.ts'
import { readFileIn, type FileReading } from '../../system/files/read-file.ts'
import type { Redact } from '../../system/redaction/redact-texts.ts'
import { describeFileProblem, groundOfLog } from '../folders/log-file.ts'
import { problem } from './log-front-matter.ts'
import { parseResultLog } from './parse-result-log.ts'
import { maxLogBytes, type LogProblem, type LogReading } from './result-log.ts'

/** Never throws or hangs. Refuses links, because a link could lead to an older log. Error messages are redacted. */
export async function readResultLog(
  file: string,
  { redact = (text) => text, ground = groundOfLog(file) }: { readonly redact?: Redact; readonly ground?: Ground } = {},
): Promise<LogReading> {
  const read = readFileIn(ground, file, maxLogBytes)
  if (!read.ok) return describeProblem(file, read)
  if (!isUtf8(read.bytes)) return problem('LOG_UNREADABLE', `The result log \`${file}\` is not UTF-8 text.`)
  // `TextDecoder` would drop a byte order mark, but the parser must see it.
  const text = read.bytes.toString('utf8')
  const parsed = parseResultLog(text)
  if (parsed.ok) return { ok: true, log: parsed.log, body: parsed.body, modifiedAtMs: read.stats.mtimeMs }
  // Redact before parsing, because an error message may quote only half of a secret.
  const shown = parseResultLog(redact(text))
  const why = shown.ok ? 'Without its secrets it would be.' : shown.message
  return { ...parsed, message: `The result log \`${file}\` is not valid. ${why}` }
}

function describeProblem(file: string, reading: Extract<FileReading, { ok: false }>): LogProblem {
  if (reading.why === 'not-regular') {
    const isLink = reading.found === 'a symbolic link'
    const why = isLink ? ' A link is not followed: it could lead to the log of an older run.' : ''
    return problem('LOG_UNREADABLE', `Expected a regular file at \`${file}\`, found ${reading.found}.${why}`)
  }
  const missing = `There is no result log at \`${file}\`.`
  const message = describeFileProblem(reading, { what: `result log \`${file}\``, maxBytes: maxLogBytes, missing })
  if (reading.why === 'missing') return problem('LOG_MISSING', message)
  return problem(reading.why === 'too-large' ? 'LOG_TOO_LARGE' : 'LOG_UNREADABLE', message)
}
