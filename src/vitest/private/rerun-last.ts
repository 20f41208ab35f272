import { existsSync } from 'node:fs'
import type { Vitest } from 'vitest/node'

/** Files of the last run of a watch, by absolute path. */
interface LastRun {
  files: readonly string[]
  /** It is asked for again, until that run begins. */
  isAskedAgain: boolean
}

type RerunFiles = (this: Vitest, files?: readonly string[], ...rest: readonly unknown[]) => unknown

/**
 * Has the key `r` run again what ran last, where that were specs alone. Vitest runs all files that it knows: also after
 * one spec was saved, all other specs and all tests of the user. Seen in Vitest 4.1.12 and 5.1.1.
 */
export function rerunLast(vitest: Vitest, isSpec: (file: string) => boolean): LastRun {
  const last: LastRun = { files: [], isAskedAgain: false }
  // Not the one that an earlier start of the same watch has put here.
  const rerunFiles: unknown = Reflect.get(Object.getPrototypeOf(vitest), 'rerunFiles')
  if (!isRerunFiles(rerunFiles)) return last
  const rerun: RerunFiles = function (files, ...rest) {
    // The key names no files; all else that runs tests again does.
    if (files !== undefined) return rerunFiles.call(this, files, ...rest)
    last.isAskedAgain = true
    const again = last.files.every(isSpec) ? last.files.filter((file) => existsSync(file)) : []
    return again.length === 0 ? rerunFiles.call(this) : rerunFiles.call(this, again, undefined, false)
  }
  Object.defineProperty(vitest, 'rerunFiles', { configurable: true, writable: true, value: rerun })
  return last
}

function isRerunFiles(value: unknown): value is RerunFiles {
  return typeof value === 'function'
}
