import { createHash } from 'node:crypto'
import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync, readSync, type Stats } from 'node:fs'
import { entriesOf } from '../../system/files/list-files.ts'
import { realPathOf } from '../../system/files/trusted-folder.ts'
import { statsOf } from '../../system/files/paths.ts'
import { orNothing } from '../../system/error-facts.ts'

/** State of a file, read by synchronous calls: for thousands of files, promises take longer. */
export interface FileState {
  /** Size, times, inode and mode in one text; `missing` if there was no file. */
  readonly stamp: string
  /** File type and permissions. A change of either counts as a change of the file. */
  readonly mode: number
  readonly ctimeMs: number
  readonly content?: string | undefined
}

const maxHashedBytes = 50 * 1024 * 1024
const maxProgramBytes = 1024 * 1024
const maxBytes = 512 * 1024 * 1024

const missing: FileState = { stamp: 'missing', mode: 0, ctimeMs: 0 }

export function readStamp(file: string): FileState {
  const stats = orNothing(() => lstatSync(file, { throwIfNoEntry: false }))
  return stats === undefined ? missing : stateOf(stats)
}

function stateOf(stats: Stats): FileState {
  const { size, mtimeMs, ctimeMs, ino, dev, mode } = stats
  // Times and size of a folder change with its entries, so they are ignored.
  return { stamp: stats.isDirectory() ? 'folder' : [size, mtimeMs, ctimeMs, ino, dev, mode].join(' '), mode, ctimeMs }
}

/** Some file systems round times to two seconds. Two changes within this time may have equal times. */
export const coarsestClockMs = 2_000

const entryNames = new Map<string, { readonly stamp: string; readonly names: readonly string[] }>()

/** Names in a folder, cached while the folder is unchanged. `nowMs`: the current time, or slightly earlier. */
export function entryNamesOf(folder: string, nowMs: number): readonly string[] {
  const stats = statsOf(folder)
  const stamp = stats === undefined ? '' : `${stats.dev} ${stats.ino} ${stats.ctimeMs}`
  const known = entryNames.get(folder)
  if (known?.stamp === stamp) return known.names
  const names = entriesOf(folder).map(({ name }) => name)
  // Do not cache an empty list, because a folder that could not be read looks empty, too.
  if (names.length > 0 && (stats?.ctimeMs ?? Infinity) < nowMs - coarsestClockMs)
    entryNames.set(folder, { stamp, names })
  return names
}

/** A link's target or a file's hash; `undefined` if unreadable, too large or of another type. Never blocks. */
export function readContent(file: string, mode: number): string | undefined {
  return isLink(mode) ? orNothing(() => readlinkSync(file)) : hashOf(file, maxHashedBytes)
}

/** Like `readStamp`, but includes the state of a link's target. */
export function readProgramStamp(file: string): FileState {
  const own = readStamp(file)
  if (!isLink(own.mode)) return own
  const stats = statsOf(file)
  const target = stats === undefined ? missing : stateOf(stats)
  return { mode: target.mode, ctimeMs: Math.max(own.ctimeMs, target.ctimeMs), stamp: `${own.stamp} ${target.stamp}` }
}

/** Hash of a program. Its ctime also changes when another project makes a hard link, as pnpm does. */
export function readProgramContent(file: string): string {
  const stats = statsOf(file)
  const content = hashFile(file, maxProgramBytes) ?? (stats?.isFile() === true ? stateOf(stats).stamp : 'no file')
  return `${orNothing(() => readlinkSync(file))} ${content}`
}

export function isLink(mode: number): boolean {
  return (mode & constants.S_IFMT) === constants.S_IFLNK
}

// An agent may replace a file by a link or a FIFO. Do not follow the link, and do not wait for the FIFO.
const openFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

const buffer = Buffer.allocUnsafe(256 * 1024)

function hashOf(file: string, limit: number): string | undefined {
  const descriptor = orNothing(() => openSync(file, openFlags))
  if (descriptor === undefined) return undefined
  const found = orNothing(() => {
    const stats = fstatSync(descriptor)
    if (!stats.isFile() || stats.size > limit) return undefined
    const hash = createHash('sha256')
    for (let total = 0, count = -1; count !== 0 && total <= limit; total += count) {
      count = readSync(descriptor, buffer)
      hash.update(buffer.subarray(0, count))
    }
    return hash.digest('hex')
  })
  closeSync(descriptor)
  return found
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

/** SHA-256 of a file or of a link's target, in hexadecimal; `undefined` if it cannot be read. */
export function hashFile(file: string, limit = maxBytes): string | undefined {
  return hashOf(realPathOf(file), limit)
}
