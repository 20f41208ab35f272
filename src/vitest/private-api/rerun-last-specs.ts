import { existsSync } from 'node:fs'
import type { Vitest } from 'vitest/node'

interface LastRun {
  files: readonly string[]
  /** Whether the key `r` was pressed and its run has not started yet. */
  isAskedAgain: boolean
}

type RerunFiles = (this: Vitest, files?: readonly string[], ...rest: readonly unknown[]) => unknown

/** Makes key `r` rerun only the last specs. Vitest would rerun all files. Checked with Vitest 4.1.12 and 5.1.1. */
export function rerunLast(vitest: Vitest, isSpec: (file: string) => boolean): LastRun {
  const last: LastRun = { files: [], isAskedAgain: false }
  // Take the method from the prototype, because the instance may already have our replacement.
  const rerunFiles: RerunFiles | undefined = Reflect.get(Object.getPrototypeOf(vitest), 'rerunFiles')
  if (typeof rerunFiles !== 'function') return last
  const rerun: RerunFiles = function (files, ...rest) {
    // Only the key `r` leaves `files` out.
    if (files !== undefined) return rerunFiles.call(this, files, ...rest)
    last.isAskedAgain = true
    const again = last.files.every(isSpec) ? last.files.filter((file) => existsSync(file)) : []
    return again.length === 0 ? rerunFiles.call(this) : rerunFiles.call(this, again, undefined, false)
  }
  Object.defineProperty(vitest, 'rerunFiles', { configurable: true, writable: true, value: rerun })
  return last
}
