import { lstatSync, readdirSync, rmdirSync, unlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Ground } from './ground.ts'
import { inFolder } from './in-folder.ts'

/**
 * Removes whatever is in a place (absolute path), a folder with all it holds, a link and never what it leads to.
 * Nothing happens where nothing is.
 *
 * @throws RefusedError where a link is on the way; what the system does where it cannot be removed
 */
export function removeIn(ground: Ground, path: string): void {
  try {
    if (isFolder(ground, path)) removeContent(ground, path)
    inFolder(ground, dirname(path), (at) => {
      const place = at(basename(path))
      const stats = lstatSync(place, { throwIfNoEntry: false })
      if (stats?.isDirectory() === true) rmdirSync(place)
      else if (stats !== undefined) unlinkSync(place)
    })
  } catch (error: unknown) {
    // Another process removes it, too.
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
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
      else unlinkSync(at(entry.name))
    }
  })
}
