import { readFileSync, realpathSync, statSync } from 'node:fs'
import type { ReadIncluded } from '../spec/front-matter/read-includes.ts'
import { describeFileError } from '../system/files/file-errors.ts'
import { isInside } from '../system/files/paths.ts'
import { errorCode } from '../system/error-facts.ts'

const maxBytes = 4 * 1024 * 1024

/** Reads included files inside the suite root, also once links are followed. */
export function readIncludedIn(root: string): ReadIncluded {
  return (file) => {
    try {
      if (!isInside(file, root) || !isInside(realpathSync(file), realpathSync(root))) {
        return { problem: `it is outside of the suite root ${root}. Move it into the root.` }
      }
      const stats = statSync(file)
      if (!stats.isFile()) return { problem: 'it is no regular file.' }
      if (stats.size > maxBytes) return { problem: 'it is larger than 4 MiB. Split it.' }
      return readFileSync(file)
    } catch (error: unknown) {
      const isMissing = errorCode(error) === 'ENOENT'
      if (isMissing)
        return { problem: 'there is no such file. The path is relative to the file that includes it.', isMissing }
      return { problem: `${describeFileError(error)}. Make it readable.` }
    }
  }
}
