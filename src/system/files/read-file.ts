import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, realpathSync, type Stats } from 'node:fs'
import { basename, dirname } from 'node:path'
import { RefusedError } from './file-errors.ts'
import { errorCode, orNothing } from '../error-facts.ts'
import { type Ground, inFolder, noLinkNoWait } from './trusted-folder.ts'

export type FileReading =
  | { readonly ok: true; readonly bytes: Buffer; readonly stats: Stats }
  | { readonly ok: false; readonly why: 'missing' | 'too-large' }
  | { readonly ok: false; readonly why: 'not-regular'; readonly found: string }
  | { readonly ok: false; readonly why: 'refused'; readonly message: string }
  | { readonly ok: false; readonly why: 'unreadable'; readonly errorCode: string }

/** Reads a regular file (absolute path) without following links below the ground. Never throws and never hangs. */
export function readFileIn(ground: Ground, file: string, maxBytes: number): FileReading {
  try {
    return inFolder(ground, dirname(file), (at) => readAt(at(basename(file)), maxBytes))
  } catch (error: unknown) {
    if (error instanceof RefusedError) return { ok: false, why: 'refused', message: error.message }
    const code = errorCode(error) ?? 'unknown error'
    return code === 'ENOENT' ? { ok: false, why: 'missing' } : { ok: false, why: 'unreadable', errorCode: code }
  }
}

/** Reads a regular file and follows links. `undefined` if it cannot be read or is larger than `maxBytes`. */
export function readForeignFile(file: string, maxBytes: number): Buffer | undefined {
  const read = orNothing(() => readAt(realpathSync(file), maxBytes))
  return read?.ok ? read.bytes : undefined
}

/** Like `lstat`: does not follow links. `undefined` if nothing is there or a parent folder is a link. Never throws. */
export function lookAt(ground: Ground, path: string): Stats | undefined {
  return orNothing(() =>
    inFolder(ground, dirname(path), (at) => lstatSync(at(basename(path)), { throwIfNoEntry: false })),
  )
}

const readFlags = constants.O_RDONLY | noLinkNoWait

function readAt(path: string, maxBytes: number): FileReading {
  const found = lstatSync(path)
  if (!found.isFile()) return { ok: false, why: 'not-regular', found: kindInWords(found) }
  // Check the kind again after opening, because somebody can swap the file in between.
  const descriptor = openSync(path, readFlags)
  try {
    const stats = fstatSync(descriptor)
    if (!stats.isFile()) return { ok: false, why: 'not-regular', found: kindInWords(stats) }
    if (stats.size > maxBytes) return { ok: false, why: 'too-large' }
    const bytes = readUpTo(descriptor, maxBytes + 1)
    if (bytes.length > maxBytes) return { ok: false, why: 'too-large' }
    return { ok: true, bytes, stats }
  } finally {
    closeSync(descriptor)
  }
}

/** Reads at most `limitBytes`, because the file may have grown since its size was checked. */
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

export function kindInWords(stats: Stats): string {
  if (stats.isFile()) return 'a file'
  if (stats.isSymbolicLink()) return 'a symbolic link'
  if (stats.isDirectory()) return 'a directory'
  if (stats.isFIFO()) return 'a named pipe'
  if (stats.isSocket()) return 'a socket'
  return 'a device'
}
