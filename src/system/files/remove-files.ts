import { lstatSync, readdirSync, rmdirSync, unlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { errorCode, orNothingIf } from '../error-facts.ts'
import { type Ground, groundAt, inFolder } from './trusted-folder.ts'

/** Removes a file, a folder with its content, or a link (never its target). Another process may remove parts first. */
export function removeIn(ground: Ground, path: string): void {
  orNothingIf('ENOENT', () => {
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
      if (errorCode(error) !== 'ENOTEMPTY' || tries === maxTries) throw error
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
      else orNothingIf('ENOENT', () => unlinkSync(at(entry.name)))
    }
  })
}

/** Removes a folder that mdtest made inside the temporary folder of a run. */
export function removeTemporary(folder: string): void {
  removeIn(groundAt(join(folder, '../..')), folder)
}
