import { existsSync } from 'node:fs'
import type { Vitest } from 'vitest/node'

interface LastRun {
  files: readonly string[]
  /** The key `r` was pressed, and the run has not begun. */
  isAskedAgain: boolean
}

type RerunFiles = (this: Vitest, files?: readonly string[], ...rest: readonly unknown[]) => unknown

/** Vitest's key `r` reruns all files, also other specs. Seen in Vitest 4.1.12 and 5.1.1. */
export function rerunLast(vitest: Vitest, isSpec: (file: string) => boolean): LastRun {
  const last: LastRun = { files: [], isAskedAgain: false }
  // The prototype has Vitest's own method, not that of an earlier start of the watch.
  const rerunFiles: unknown = Reflect.get(Object.getPrototypeOf(vitest), 'rerunFiles')
  if (!isRerunFiles(rerunFiles)) return last
  const rerun: RerunFiles = function (files, ...rest) {
    // The key names no files; all other reruns do.
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
