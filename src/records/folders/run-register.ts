import { join } from 'node:path'
import type { Ground } from '../../system/files/ground.ts'
import { readFileIn } from '../../system/files/read-file.ts'
import { appendFile, createFile, replaceFile } from '../../system/files/write-file.ts'

/**
 * Name of the file that says which runs mdtest made in a folder, one a line. It is the mark of what may be removed
 * again: names that only look like ours are somebody's own.
 */
export const registerName = '.mdtest-runs'

const head = '# Runs that mdtest made in this folder. It removes none that is not named here.\n'
/** More names than folders keep; a register that was written over is none. */
const maxBytes = 4 * 1024 * 1024
/** With more names than this the register is written anew, with those that are still there. */
const maxNames = 1000

/**
 * Notes a run before it makes its first file.
 *
 * @param folder absolute path of a folder that is there
 * @throws RefusedError, or what the system does, where it cannot be noted
 */
export function registerRun(ground: Ground, folder: string, name: string): void {
  const file = join(folder, registerName)
  if (createFile(ground, file, `${head}${name}\n`)) return
  try {
    appendFile(ground, file, `${name}\n`)
  } catch {
    // A link, or the name of somebody's file: what it held was not ours.
    replaceFile(ground, file, `${head}${name}\n`)
  }
}

/** Names of the runs that mdtest made in a folder (absolute path). None where the register is gone or no file of its own. */
export function registeredRuns(ground: Ground, folder: string): ReadonlySet<string> {
  const read = readFileIn(ground, join(folder, registerName), maxBytes)
  if (!read.ok || read.stats.nlink > 1) return new Set()
  return new Set(read.bytes.toString('utf8').split('\n'))
}

/** Forgets runs that are gone, once there are many. `names`: those that are left. */
export function shortenRegister(
  ground: Ground,
  folder: string,
  { registered, names }: { readonly registered: ReadonlySet<string>; readonly names: ReadonlySet<string> },
): void {
  if (registered.size < maxNames) return
  const left = [...registered].filter((name) => names.has(name))
  replaceFile(ground, join(folder, registerName), `${head}${left.map((name) => `${name}\n`).join('')}`)
}
