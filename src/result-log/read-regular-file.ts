import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from 'node:fs'

/** What reading a file gave: its bytes, or why there are none. */
export type FileReading =
  | { readonly ok: true; readonly bytes: Buffer; readonly modifiedAtMs: number }
  | { readonly ok: false; readonly why: 'missing' | 'too-large' }
  /** `found` names what is there in its place, for example `a named pipe`. */
  | { readonly ok: false; readonly why: 'not-regular'; readonly found: string }
  | { readonly ok: false; readonly why: 'unreadable'; readonly errorCode: string }

/**
 * Reads a regular file of at most `maxBytes`. Never throws and never hangs, whatever is there. A symbolic link is refused.
 * Synchronous, because each scenario reads a few small ones: the promises would take longer than the calls.
 *
 * @param file absolute path
 */
export function readRegularFile(file: string, maxBytes: number): FileReading {
  try {
    const found = lstatSync(file)
    if (!found.isFile()) return notRegular(found)
    return readOpened(file, maxBytes)
  } catch (error: unknown) {
    const errorCode = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    return errorCode === 'ENOENT' ? { ok: false, why: 'missing' } : { ok: false, why: 'unreadable', errorCode }
  }
}

function readOpened(file: string, maxBytes: number): FileReading {
  // The file may have been swapped since `lstat`: no link is followed, and opening a FIFO does not wait.
  const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  try {
    const stats = fstatSync(descriptor)
    if (!stats.isFile()) return notRegular(stats)
    if (stats.size > maxBytes) return { ok: false, why: 'too-large' }
    const bytes = readUpTo(descriptor, maxBytes + 1)
    if (bytes.length > maxBytes) return { ok: false, why: 'too-large' }
    return { ok: true, bytes, modifiedAtMs: stats.mtimeMs }
  } finally {
    closeSync(descriptor)
  }
}

/** Reads in pieces, because the file may grow after its size was looked up. */
function readUpTo(descriptor: number, limitBytes: number): Buffer {
  const pieces: Buffer[] = []
  let total = 0
  while (total < limitBytes) {
    const piece = Buffer.allocUnsafe(Math.min(64 * 1024, limitBytes - total))
    const bytesRead = readSync(descriptor, piece)
    if (bytesRead === 0) break
    pieces.push(piece.subarray(0, bytesRead))
    total += bytesRead
  }
  return Buffer.concat(pieces)
}

function notRegular(stats: Stats): FileReading {
  return { ok: false, why: 'not-regular', found: kindOf(stats) }
}

function kindOf(stats: Stats): string {
  if (stats.isSymbolicLink()) return 'a symbolic link'
  if (stats.isDirectory()) return 'a directory'
  if (stats.isFIFO()) return 'a named pipe'
  if (stats.isSocket()) return 'a socket'
  return 'a device'
}
