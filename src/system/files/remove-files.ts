import { lstatSync, readdirSync, rmdirSync, unlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { errorCode } from '../error-facts.ts'
import { type Ground, groundAt, inFolder } from './ground.ts'

/** Removes a file, a folder with its content, or a link (never its target). */
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

/** Ignores `ENOENT`, because another process may have removed the path. */
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

/** Tries several times, because a process that is still ending may put new files into the folder. */
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

/** Uses `inFolder`, so that no other files are removed if somebody swaps the folder for a link. */
function removeContent(ground: Ground, folder: string): void {
  inFolder(ground, folder, (at) => {
    for (const entry of readdirSync(at('.'), { withFileTypes: true })) {
      if (entry.isDirectory()) removeIn(ground, join(folder, entry.name))
      else orGone(() => unlinkSync(at(entry.name)))
    }
  })
}

/** Removes a folder that mdtest made inside the temporary folder of a run. */
export function removeTemporary(folder: string): void {
  removeIn(groundAt(join(folder, '../..')), folder)
}
