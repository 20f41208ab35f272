import { basename } from 'node:path'
import type { Ground } from '../../system/files/ground.ts'
import { readFileIn } from '../../system/files/read-file.ts'
import { contentHash } from './kept-files.ts'

const maxBytes = 256 * 1024 * 1024

/** What the content of files begins with that are not named by it. Records are written with these keys first. */
const beginnings: readonly (readonly [name: RegExp, start: (key: string) => string])[] = [
  [/^spec-[\da-f]{16}\.json$/, () => '{"version":1,"spec":"'],
  [/^run-[\w-]+\.json$/, () => '{"version":1,"id":"'],
  [/^([\da-f]{16})\.js$/, (key) => `mdtestShow("${key}",`],
]

/** Names of files that are kept: what they hold, in short, and how they were called. */
const keptName = /^([\da-f]{16})[-.]/

/**
 * Whether a file (absolute path) in the folder of a report was written by mdtest: by what it holds, for its name alone may
 * be that of somebody else's file.
 */
export function isOwnFile(ground: Ground, file: string): boolean {
  const read = readFileIn(ground, file, maxBytes)
  if (!read.ok) return false
  const name = basename(file)
  for (const [form, start] of beginnings) {
    const found = form.exec(name)
    if (found)
      return read.bytes
        .subarray(0, 64)
        .toString('latin1')
        .startsWith(start(found[1] ?? ''))
  }
  return keptName.exec(name)?.[1] === contentHash(read.bytes)
}
