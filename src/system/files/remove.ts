import { lstatSync, readdirSync, rmdirSync, unlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { groundAt, type Ground } from './ground.ts'
import { inFolder } from './in-folder.ts'
import { errorCode } from '../error-facts.ts'

/**
 * Removes whatever is in a place (absolute path), a folder with all it holds, a link and never what it leads to.
 * Nothing happens where nothing is.
 *
 * @throws RefusedError where a link is on the way; what the system does where it cannot be removed
 */
export function removeIn(ground: Ground, path: string): void {
  orGone(() => {
    if (isFolder(ground, path)) removeContent(ground, path)
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

function isFolder(ground: Ground, path: string): boolean {
  return inFolder(ground, dirname(path), (at) => lstatSync(at(basename(path))).isDirectory())
}

/** Each folder is held while what is in it is removed: one that becomes a link meanwhile leads nowhere. */
function removeContent(ground: Ground, folder: string): void {
  inFolder(ground, folder, (at) => {
    for (const entry of readdirSync(at('.'), { withFileTypes: true })) {
      if (entry.isDirectory()) removeIn(ground, join(folder, entry.name))
      else orGone(() => unlinkSync(at(entry.name)))
    }
  })
}

/**
 * Removes a folder of ours in the temporary folder of a run (absolute path), with all it holds.
 *
 * @throws what the system does where it cannot be removed
 */
export function removeTemporary(folder: string): void {
  removeIn(groundAt(join(folder, '../..')), folder)
}
