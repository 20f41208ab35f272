import { isUtf8 } from 'node:buffer'
import type { Redact } from '../../system/redaction/redact-texts.ts'
import { parseResultLog } from './parse-result-log.ts'
import type { Ground } from '../../system/files/ground.ts'
import { readFileIn, type FileReading } from '../../system/files/read-file.ts'
import { groundOfLog } from './log-ground.ts'
import { maxLogBytes } from './result-log.ts'
import type { LogProblem, LogReading } from './result-log.ts'

/**
 * Reads the result log at the absolute path `file`. Never throws and never hangs, whatever is there: only a
 * regular file is read. A symbolic link is refused, because it could lead to the log of an older run.
 *
 * @param options.redact takes secrets out of what a message quotes; the log itself is given as it is
 */
export async function readResultLog(
  file: string,
  { redact = (text) => text, ground = groundOfLog(file) }: { readonly redact?: Redact; readonly ground?: Ground } = {},
): Promise<LogReading> {
  const read = readFileIn(ground, file, maxLogBytes)
  return read.ok ? parseBytes(read, { file, redact }) : describeProblem(file, read)
}

function parseBytes(
  { bytes, stats }: Extract<FileReading, { ok: true }>,
  { file, redact }: { readonly file: string; readonly redact: Redact },
): LogReading {
  if (!isUtf8(bytes)) return unreadable(`The result log \`${file}\` is not UTF-8 text.`)
  // Not TextDecoder: it drops a byte order mark, which is to be seen.
  const text = bytes.toString('utf8')
  const parsed = parseResultLog(text)
  if (!parsed.ok) {
    // Messages cut what they quote, and half a secret is not found.
    const shown = parseResultLog(redact(text))
    const why = shown.ok ? 'Without its secrets it would be.' : shown.message
    return { ...parsed, message: `The result log \`${file}\` is not valid. ${why}` }
  }
  return { ok: true, log: parsed.log, body: parsed.body, modifiedAtMs: stats.mtimeMs }
}

function describeProblem(file: string, problem: Extract<FileReading, { ok: false }>): LogProblem {
  switch (problem.why) {
    case 'missing':
      return { ok: false, code: 'LOG_MISSING', message: `There is no result log at \`${file}\`.` }
    case 'too-large':
      return {
        ok: false,
        code: 'LOG_TOO_LARGE',
        message: `The result log \`${file}\` has more than ${maxLogBytes} bytes.`,
      }
    case 'not-regular':
      return notRegular(file, problem.found)
    case 'refused':
      return unreadable(`The result log \`${file}\` is not read: ${problem.message}.`)
    case 'unreadable':
      return unreadable(`The result log \`${file}\` cannot be read (${problem.errorCode}).`)
    default:
      return problem satisfies never
  }
}

function notRegular(file: string, found: string): LogProblem {
  const isLink = found === 'a symbolic link'
  const why = isLink ? ' A link is not followed: it could lead to the log of an older run.' : ''
  return unreadable(`Expected a regular file at \`${file}\`, found ${found}.${why}`)
}

function unreadable(message: string): LogProblem {
  return { ok: false, code: 'LOG_UNREADABLE', message }
}
