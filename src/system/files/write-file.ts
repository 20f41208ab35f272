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
  readdirSync,
  rmdirSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { RefusedError } from './file-errors.ts'
import { errorCode, orNothing } from '../error-facts.ts'
import { type Ground, groundAt, placeIn, realPathOf, inFolder, noLinkNoWait } from './ground.ts'

// All throw a `RefusedError` where a link is on the way. Paths are absolute.

type Content = string | Uint8Array

interface Replacement {
  readonly content: Content
  readonly mode?: number
  /** Only root can give files away. Default: who runs this process */
  readonly owner?: { readonly uid: number; readonly gid: number }
  /** Whether it lasts when the power fails. Default: false */
  readonly isDurable?: boolean
  /** One process writes it at a time, and replaces what a crash has left of it. Default: false */
  readonly hasOneWriter?: boolean
}

/**
 * A reader sees the old file or the new one, whole. A link or pipe in its place is replaced, and so is one of several names
 * of a file: what they lead to stays. The folder has to be there.
 */
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

/** The same, durably, for a file of the user's, also behind a link. Mode and owner stay; a new file gets `newMode`. */
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

/** False where anything has its name already. */
export function createFile(ground: Ground, file: string, content: Content): boolean {
  return makeNew(ground, file, (path) => writeFileSync(path, content, { flag: 'wx' }))
}

/** Adds to a file, or makes it. A file with another name elsewhere is left alone. */
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
  if (isThere(ground, folder)) return
  makeFolder(ground, join(ground.real, ...names.slice(0, -1)))
  makeNewFolder(ground, folder)
  // Throws where something else has the name.
  inFolder(ground, folder, () => undefined)
}

export function makeNewFolder(ground: Ground, folder: string): boolean {
  return makeNew(ground, folder, (path) => mkdirSync(path))
}

function makeNew(ground: Ground, path: string, make: (path: string) => void): boolean {
  return inFolder(ground, dirname(path), (at) => {
    try {
      make(at(basename(path)))
      return true
    } catch (error: unknown) {
      if (errorCode(error) === 'EEXIST') return false
      throw error
    }
  })
}

/** Whether anything is there. Root could replace a device. */
function assertNoDevice(path: string, file: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats?.isCharacterDevice() === true || stats?.isBlockDevice() === true) {
    throw new RefusedError(file, 'is a device, which is not replaced')
  }
  return stats !== undefined
}

function isThere(ground: Ground, folder: string): boolean {
  try {
    return inFolder(ground, folder, () => true)
  } catch (error: unknown) {
    if (errorCode(error) === 'ENOENT') return false
    throw error
  }
}

function writeNew(file: string, wanted: Replacement): void {
  const { mode, owner, isDurable } = wanted
  const descriptor = openSync(file, 'wx', mode)
  try {
    writeFileSync(descriptor, wanted.content)
    // Giving it away takes rights from it.
    if (owner !== undefined) orNothing(() => fchownSync(descriptor, owner.uid, owner.gid))
    if (mode !== undefined) fchmodSync(descriptor, mode)
    if (isDurable) fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Names have at most 255 bytes. */
function temporaryName(name: string): string {
  const end = `.${randomUUID()}.tmp`
  return Buffer.byteLength(name) + end.length > 255 ? end : `${name}${end}`
}

function syncFolder(path: string): void {
  const descriptor = openSync(path, 'r')
  // There are file systems that cannot.
  orNothing(() => fsyncSync(descriptor))
  closeSync(descriptor)
}

/** Removes a folder with all it holds, a link and never what it leads to. */
export function removeIn(ground: Ground, path: string): void {
  orGone(() => {
    const isFolder = inFolder(ground, dirname(path), (at) => lstatSync(at(basename(path))).isDirectory())
    if (isFolder) removeContent(ground, path)
    inFolder(ground, dirname(path), (at) => {
      const place = at(basename(path))
      const stats = lstatSync(place, { throwIfNoEntry: false })
      if (stats?.isDirectory() === true) removeEmptied(place, () => removeContent(ground, path))
      else if (stats !== undefined) unlinkSync(place)
    })
  })
}

/** Another process may remove it, too. */
function orGone(remove: () => void): void {
  try {
    remove()
  } catch (error: unknown) {
    if (errorCode(error) !== 'ENOENT') throw error
  }
}

const maxTries = 5
const betweenTriesMs = 20
const sleeper = new Int32Array(new SharedArrayBuffer(4))

/** Something that is about to end may still write there. */
function removeEmptied(place: string, empty: () => void): void {
  for (let tries = 1; ; tries += 1) {
    try {
      rmdirSync(place)
      return
    } catch (error: unknown) {
      const isFilled = errorCode(error) === 'ENOTEMPTY'
      if (!isFilled || tries === maxTries) throw error
      Atomics.wait(sleeper, 0, 0, betweenTriesMs)
      empty()
    }
  }
}

/** A folder that becomes a link meanwhile leads nowhere: each is held while its content is removed. */
function removeContent(ground: Ground, folder: string): void {
  inFolder(ground, folder, (at) => {
    for (const entry of readdirSync(at('.'), { withFileTypes: true })) {
      if (entry.isDirectory()) removeIn(ground, join(folder, entry.name))
      else orGone(() => unlinkSync(at(entry.name)))
    }
  })
}

/** Removes a folder of ours in the temporary folder of a run, with all it holds. */
export function removeTemporary(folder: string): void {
  removeIn(groundAt(join(folder, '../..')), folder)
}
