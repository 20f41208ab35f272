import { lstat } from 'node:fs/promises'
import type { Piece } from '../derive/piece.ts'

/** Absolute paths in a text, as far as they are written out. */
const absolutePath = /(?<![\w./~$}-])\/[^\s'"`;|&<>()$\\*?{}[\],:=]+/g

/**
 * A file that commands name, that lies outside of where the agent worked, and that has been there, or has been as it is,
 * since the agent began only: a replay would find it here and nowhere else.
 *
 * @param sinceMs milliseconds since 1970
 */
export async function findLeftOutside(pieces: readonly Piece[], sinceMs: number): Promise<string | undefined> {
  const texts = pieces.flatMap((piece) => {
    if (piece.kind === 'browser') return []
    return [piece.kind === 'file' ? piece.content : piece.command]
  })
  for (const path of new Set(texts.flatMap((text) => text.match(absolutePath) ?? []))) {
    if (/^\/(?:proc|sys|dev\/(?!shm\/))/.test(path)) continue
    const stats = await lstat(path).catch(() => undefined)
    if (stats === undefined) continue
    // A folder is other than before by whatever anybody puts into it.
    if ((stats.isDirectory() ? stats.birthtimeMs : stats.ctimeMs) >= sinceMs) return path
  }
  return undefined
}
