import { readFileSync, realpathSync, statSync } from 'node:fs'
import { relative } from 'node:path'
import { isInnerPath } from '../spec/front-matter/is-inner-path.ts'
import type { ReadIncluded } from '../spec/front-matter/read-includes.ts'
import { describeFileError } from '../system/files/describe-file-error.ts'

const maxBytes = 4 * 1024 * 1024

/** Reads included files inside the suite root, also once links are followed. */
export function readIncludedIn(root: string): ReadIncluded {
  return (file) => {
    try {
      if (!isInside(root, file) || !isInside(realpathSync(root), realpathSync(file))) {
        return { problem: `it is outside of the suite root ${root}. Move it into the root.` }
      }
      const stats = statSync(file)
      if (!stats.isFile()) return { problem: 'it is no regular file.' }
      if (stats.size > maxBytes) return { problem: 'it is larger than 4 MiB. Split it.' }
      return readFileSync(file)
    } catch (error: unknown) {
      const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
      if (isMissing) return { problem: 'there is no such file. The path is relative to the file that includes it.' }
      return { problem: `${describeFileError(error)}. Make it readable.` }
    }
  }
}

function isInside(folder: string, file: string): boolean {
  return isInnerPath(relative(folder, file))
}
