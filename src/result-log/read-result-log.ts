import { isUtf8 } from 'node:buffer'
import type { Stats } from 'node:fs'
import { constants, lstat, open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import type { Redact } from '../shared/redact-texts.ts'
import { parseResultLog } from './parse-result-log.ts'
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
  { redact = (text) => text }: { readonly redact?: Redact } = {},
): Promise<LogReading> {
  try {
    const found = await lstat(file)
    if (!found.isFile()) return notRegular(file, found)
    return await readRegularFile(file, redact)
  } catch (error: unknown) {
    return describeError(file, error)
  }
}

async function readRegularFile(file: string, redact: Redact): Promise<LogReading> {
  // The file may have been swapped since `lstat`: no link is followed, and opening a FIFO does not wait.
  const handle = await open(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  try {
    const stats = await handle.stat()
    if (!stats.isFile()) return notRegular(file, stats)
    if (stats.size > maxLogBytes) return tooLarge(file)
    const bytes = await readUpTo(handle, maxLogBytes + 1)
    if (bytes.length > maxLogBytes) return tooLarge(file)
    return parseBytes(bytes, { file, modifiedAtMs: stats.mtimeMs, redact })
  } finally {
    await handle.close()
  }
}

interface Found {
  readonly file: string
  readonly modifiedAtMs: number
  readonly redact: Redact
}

function parseBytes(bytes: Buffer, { file, modifiedAtMs, redact }: Found): LogReading {
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
  return { ok: true, log: parsed.log, body: parsed.body, modifiedAtMs }
}

/** Reads in pieces, because the file may grow after its size was looked up. */
async function readUpTo(handle: FileHandle, limitBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  let total = 0
  while (total < limitBytes) {
    const piece = Buffer.alloc(Math.min(64 * 1024, limitBytes - total))
    const { bytesRead } = await handle.read(piece, 0, piece.length, null)
    if (bytesRead === 0) break
    pieces.push(piece.subarray(0, bytesRead))
    total += bytesRead
  }
  return Buffer.concat(pieces)
}

function notRegular(file: string, stats: Stats): LogProblem {
  const why = stats.isSymbolicLink() ? ' A link is not followed: it could lead to the log of an older run.' : ''
  return unreadable(`Expected a regular file at \`${file}\`, found ${kindOf(stats)}.${why}`)
}

function kindOf(stats: Stats): string {
  if (stats.isSymbolicLink()) return 'a symbolic link'
  if (stats.isDirectory()) return 'a directory'
  if (stats.isFIFO()) return 'a named pipe'
  if (stats.isSocket()) return 'a socket'
  return 'a device'
}

function describeError(file: string, error: unknown): LogProblem {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
  if (code === 'ENOENT') return { ok: false, code: 'LOG_MISSING', message: `There is no result log at \`${file}\`.` }
  return unreadable(`The result log \`${file}\` cannot be read (${code}).`)
}

function tooLarge(file: string): LogProblem {
  const message = `The result log \`${file}\` has more than ${maxLogBytes} bytes.`
  return { ok: false, code: 'LOG_TOO_LARGE', message }
}

function unreadable(message: string): LogProblem {
  return { ok: false, code: 'LOG_UNREADABLE', message }
}
