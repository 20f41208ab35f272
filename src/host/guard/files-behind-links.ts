import { realpathSync, statSync, type Stats } from 'node:fs'
import { join, resolve } from 'node:path'
import { isInside } from '../../system/files/is-inside.ts'
import { entriesOf } from '../../system/files/list-files.ts'

/** Files behind one link that are guarded at most. */
const maxBehindLink = 2_000

/**
 * The files that links in the root lead to, by where they are, with their names in the root. A link to a folder counts only
 * where that lies outside: what is in the root is tracked, or the agent's to write.
 *
 * @param links absolute paths
 */
export function filesBehindLinks(links: readonly string[], root: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  if (links.length === 0) return found
  const realRoot = realpathSync(root)
  for (const link of links) {
    const behind = lookBehind(link)
    if (behind === undefined) continue
    const { stats, target } = behind
    if (stats.isFile()) found.set(target, link)
    if (stats.isDirectory() && !isInside(target, realRoot) && !isInside(realRoot, target)) {
      for (const inner of filesBelow(target)) found.set(inner, resolve(link, inner.slice(target.length + 1)))
    }
  }
  return found
}

/** Nothing for a link that leads nowhere or in a circle. */
function lookBehind(link: string): { readonly stats: Stats; readonly target: string } | undefined {
  try {
    return { stats: statSync(link), target: realpathSync(link) }
  } catch {
    return undefined
  }
}

function filesBelow(folder: string): readonly string[] {
  const files: string[] = []
  const queue = [folder]
  for (let path = queue.pop(); path !== undefined && files.length < maxBehindLink; path = queue.pop()) {
    for (const entry of entriesOf(path)) {
      if (entry.isFile()) files.push(join(path, entry.name))
      else if (entry.isDirectory() && entry.name !== 'node_modules' && entry.name !== '.git') {
        queue.push(join(path, entry.name))
      }
    }
  }
  return files
}
