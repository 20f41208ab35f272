import { createHash } from 'node:crypto'
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from 'node:fs'
import { open, readlink } from 'node:fs/promises'
import { readForeignFile } from '../../system/files/read-file.ts'

export interface FileState {
  /** Size, times, inode and mode in one text; `missing` where there was no file. */
  readonly stamp: string
  /** Kind and permissions. A change of these counts as a change of the file. */
  readonly mode: number
  readonly ctimeMs: number
  /** SHA-256 of the content, or the target of a link; absent where only the stamp is compared. */
  readonly content?: string
}

/** Files above this size are compared by their stamps only. */
const maxHashedBytes = 50 * 1024 * 1024

/** Describes a file without reading it. Does not follow a link. */
export function readStamp(file: string): FileState {
  const stats = statOf(file)
  if (stats === undefined) return { stamp: 'missing', mode: 0, ctimeMs: 0 }
  const { size, mtimeMs, ctimeMs, ino, dev, mode } = stats
  // A folder in place of a file, or a submodule that is not checked out. Its times and size change with its entries.
  const stamp = stats.isDirectory() ? 'folder' : [size, mtimeMs, ctimeMs, ino, dev, mode].join(' ')
  return { stamp, mode, ctimeMs }
}

/** Synchronous, because thousands of files are looked at: the promises would take longer than the calls. */
function statOf(file: string): Stats | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false })
  } catch {
    // A folder on the way became a file, a loop of links or unreadable: the file is gone.
    return undefined
  }
}

/** The content of a file in short; `undefined` where it cannot be read, is too large or no file. Never waits. */
export async function readContent(file: string, mode: number): Promise<string | undefined> {
  const kind = mode & constants.S_IFMT
  if (kind === constants.S_IFLNK) return readlink(file).catch(() => undefined)
  return kind === constants.S_IFREG ? (hashOfSmall(file) ?? hashOf(file).catch(() => undefined)) : undefined
}

// It may have become a link or a FIFO in between: opening neither may lead away nor wait.
const openFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** Files up to this size are read at once. */
const smallBytes = 64 * 1024
const smallBuffer = Buffer.allocUnsafe(smallBytes + 1)

/** Synchronous like `statOf`, and for the same reason: 10 000 files take half a second instead of two. */
function hashOfSmall(file: string): string | undefined {
  try {
    const descriptor = openSync(file, openFlags)
    try {
      if (!fstatSync(descriptor).isFile()) return undefined
      const length = readSync(descriptor, smallBuffer, 0, smallBuffer.length, 0)
      return length > smallBytes ? undefined : hashBytes(smallBuffer.subarray(0, length))
    } finally {
      closeSync(descriptor)
    }
  } catch {
    return undefined
  }
}

async function hashOf(file: string): Promise<string | undefined> {
  const handle = await open(file, openFlags)
  try {
    const stats = await handle.stat()
    if (!stats.isFile() || stats.size > maxHashedBytes) return undefined
    const hash = createHash('sha256')
    const buffer = Buffer.allocUnsafe(Math.min(stats.size + 1, 256 * 1024))
    for (let total = 0; total <= maxHashedBytes;) {
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, null)
      if (bytesRead === 0) break
      hash.update(buffer.subarray(0, bytesRead))
      total += bytesRead
    }
    return hash.digest('hex')
  } finally {
    await handle.close()
  }
}

export type FileHashes = ReadonlyMap<string, string | undefined>

export function hashFiles(files: readonly string[]): FileHashes {
  return new Map(files.map((file) => [file, hashFile(file)]))
}

export function changedFiles(before: FileHashes): readonly string[] {
  return [...before].filter(([file, hash]) => hashFile(file) !== hash).map(([file]) => file)
}

export function hashBytes(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** No spec, configuration or program is larger. */
const maxBytes = 512 * 1024 * 1024

/** SHA-256 of a file's bytes in hexadecimal; `undefined` if it cannot be read, for example because it is a pipe by now. */
export function hashFile(file: string): string | undefined {
  const bytes = readForeignFile(file, maxBytes)
  return bytes && hashBytes(bytes)
}
