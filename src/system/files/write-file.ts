import { randomUUID } from 'node:crypto'
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { RefusedError } from './file-errors.ts'
import { orNothing, orNothingIf } from '../error-facts.ts'
import { type Ground, groundAt, placeIn, realPathOf, inFolder, noLinkNoWait } from './trusted-folder.ts'

// All paths are absolute. Functions with a `ground` throw a `RefusedError` if a folder below it is a link.

type Content = string | Uint8Array

interface Replacement {
  readonly content: Content
  readonly mode?: number
  /** Only root can set another owner. Default: the user of this process */
  readonly owner?: { readonly uid: number; readonly gid: number }
  /** Whether the file must survive a power failure. Default: false */
  readonly isDurable?: boolean
  /** Whether only one process writes the file. Leftovers of a crashed write are then replaced. Default: false */
  readonly hasOneWriter?: boolean
}

/** Writes atomically: a reader sees the old content or the new content. A link is replaced, and its target stays. */
export function replaceFile(ground: Ground, file: string, replacement: Content | Replacement): void {
  const isContent = typeof replacement === 'string' || replacement instanceof Uint8Array
  const wanted: Replacement = isContent ? { content: replacement } : replacement
  inFolder(ground, dirname(file), (at) => {
    assertNoDevice(at(basename(file)), file)
    const temporary = at(wanted.hasOneWriter ? `${basename(file)}.tmp` : temporaryName(basename(file)))
    try {
      if (wanted.hasOneWriter && assertNoDevice(temporary, file)) unlinkSync(temporary)
      writeNew(temporary, wanted)
      renameSync(temporary, at(basename(file)))
      if (wanted.isDurable) syncFolder(at('.'))
    } catch (error: unknown) {
      orNothing(() => rmSync(temporary, { force: true }))
      throw error
    }
  })
}

/** Rewrites a user's file durably and follows links. The file keeps mode and owner; a new file gets `newMode`. */
export function rewriteFile(file: string, content: Content, { newMode }: { readonly newMode?: number } = {}): void {
  const target = realPathOf(file)
  const stats = statSync(target, { throwIfNoEntry: false })
  const mode = stats === undefined ? newMode : stats.mode & 0o7777
  replaceFile(groundAt(dirname(target)), target, {
    content,
    isDurable: true,
    ...(mode !== undefined && { mode }),
    ...(stats !== undefined && { owner: stats }),
  })
}

/** Returns false if the name is already taken. */
export function createFile(ground: Ground, file: string, content: Content): boolean {
  return makeNew(ground, file, (path) => writeFileSync(path, content, { flag: 'wx' }))
}

/** Appends to a file or creates it. Refuses a file with hard links, because a file elsewhere would change, too. */
export function appendFile(ground: Ground, file: string, text: string): void {
  inFolder(ground, dirname(file), (at) => {
    const descriptor = openSync(at(basename(file)), appendFlags)
    try {
      const stats = fstatSync(descriptor)
      if (!stats.isFile()) throw new RefusedError(file, 'is no regular file: remove it')
      if (stats.nlink > 1) throw new RefusedError(file, 'is a file that has another name, too: remove it')
      writeFileSync(descriptor, text)
    } finally {
      closeSync(descriptor)
    }
  })
}

const appendFlags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | noLinkNoWait

export function openNewFile(ground: Ground, file: string): number {
  return inFolder(ground, dirname(file), (at) => {
    const path = at(basename(file))
    if (assertNoDevice(path, file)) unlinkSync(path)
    return openSync(path, 'wx')
  })
}

export function makeFolder(ground: Ground, folder: string): void {
  const { names } = placeIn(ground, folder)
  if (names.length === 0) return void mkdirSync(ground.real, { recursive: true })
  if (orNothingIf('ENOENT', () => inFolder(ground, folder, () => true))) return
  makeFolder(ground, join(ground.real, ...names.slice(0, -1)))
  makeNewFolder(ground, folder)
  // Throws if `folder` is a file or a link.
  inFolder(ground, folder, () => undefined)
}

export function makeNewFolder(ground: Ground, folder: string): boolean {
  return makeNew(ground, folder, (path) => mkdirSync(path))
}

function makeNew(ground: Ground, path: string, make: (path: string) => void): boolean {
  const made = orNothingIf('EEXIST', () =>
    inFolder(ground, dirname(path), (at) => {
      make(at(basename(path)))
      return true
    }),
  )
  return made ?? false
}

/** Returns whether the path exists. Throws for a device such as `/dev/null`, which root could replace by mistake. */
function assertNoDevice(path: string, file: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats?.isCharacterDevice() === true || stats?.isBlockDevice() === true) {
    throw new RefusedError(file, 'is a device, and devices are never replaced')
  }
  return stats !== undefined
}

function writeNew(file: string, wanted: Replacement): void {
  const { mode, owner, isDurable } = wanted
  const descriptor = openSync(file, 'wx', mode)
  try {
    writeFileSync(descriptor, wanted.content)
    // Set the owner before the mode, because changing the owner clears some bits of the mode.
    if (owner !== undefined) orNothing(() => fchownSync(descriptor, owner.uid, owner.gid))
    if (mode !== undefined) fchmodSync(descriptor, mode)
    if (isDurable) fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Leaves out `name` if the result would be longer than 255 bytes, the usual limit for file names. */
function temporaryName(name: string): string {
  const end = `.${randomUUID()}.tmp`
  return Buffer.byteLength(name) + end.length > 255 ? end : `${name}${end}`
}

function syncFolder(path: string): void {
  const descriptor = openSync(path, 'r')
  // Some file systems cannot sync a folder.
  orNothing(() => fsyncSync(descriptor))
  closeSync(descriptor)
}
