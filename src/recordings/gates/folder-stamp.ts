import { createHash } from 'node:crypto'
import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** With more files than this nobody waits for a look at them after each command. */
const maxFiles = 20_000

/** What programs leave behind although they only looked. */
const passedOver: ReadonlySet<string> = new Set(['.git', 'node_modules', '.cache', '__pycache__'])

/**
 * Tells two states of a folder apart by names, sizes and times of its files. With very many files each state is another
 * one: whoever asks then takes each command for one that acts. At once, as single calls that are waited for take four times
 * as long.
 */
export function stampOf(folder: string): string {
  const hash = createHash('sha256')
  const queue = ['']
  let count = 0
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    const entries = orUndefined(() => readdirSync(join(folder, path), { withFileTypes: true })) ?? []
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const inner = join(path, entry.name)
      if (passedOver.has(entry.name) || entry.name.endsWith('.log')) continue
      if (entry.isDirectory()) queue.push(inner)
      count += 1
      if (count > maxFiles) return `${process.hrtime.bigint()}`
      const stats = orUndefined(() => lstatSync(join(folder, inner), { bigint: true }))
      hash.update(`${inner}\0${stats?.size}\0${stats?.isDirectory() ? '' : stats?.mtimeNs}\0${stats?.mode}\n`)
    }
  }
  return hash.digest('hex')
}

/** It may be gone by now, or not be ours to read. */
function orUndefined<T>(look: () => T): T | undefined {
  try {
    return look()
  } catch {
    return undefined
  }
}
