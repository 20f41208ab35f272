import { isUtf8 } from 'node:buffer'
import { parseResultLog } from './parse-result-log.ts'
import { readRegularFile, type FileReading } from './read-regular-file.ts'
import { maxLogBytes } from './result-log.ts'
import type { LogProblem, LogReading } from './result-log.ts'

/**
 * Reads the result log at the absolute path `file`. Never throws and never hangs, whatever is there: only a
 * regular file is read. A symbolic link is refused, because it could lead to the log of an older run.
 */
export async function readResultLog(file: string): Promise<LogReading> {
  const read = await readRegularFile(file, maxLogBytes)
  return read.ok ? parseBytes(file, read.bytes, read.modifiedAtMs) : describeProblem(file, read)
}

function parseBytes(file: string, bytes: Buffer, modifiedAtMs: number): LogReading {
  if (!isUtf8(bytes)) return unreadable(`The result log \`${file}\` is not UTF-8 text.`)
  // Not TextDecoder: it drops a byte order mark, which is to be seen.
  const parsed = parseResultLog(bytes.toString('utf8'))
  if (!parsed.ok) return { ...parsed, message: `The result log \`${file}\` is not valid. ${parsed.message}` }
  return { ok: true, log: parsed.log, body: parsed.body, modifiedAtMs }
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
