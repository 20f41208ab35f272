import { readFileSync, rmSync } from 'node:fs'
import { relative } from 'node:path'
import { describeUnwritable } from '../../host/rewrite/update-refusals.ts'
import { describeFileError } from '../../system/files/describe-file-error.ts'
import { rewriteFile } from '../../system/files/write-file.ts'

/** Another text for a file that is there. */
export interface TextChange {
  /** Absolute path. */
  readonly file: string
  readonly before: string
  /** Empty where the file is to go. */
  readonly after: string
}

/**
 * Changes all of these files, in order, or none and says why.
 *
 * @param root absolute path that files are named relative to
 */
export function writeWhole(changes: readonly TextChange[], root: string): string | undefined {
  const nameOf = ({ file }: TextChange): string => relative(root, file)
  for (const change of changes) {
    const unwritable = describeUnwritable(change.file)
    if (unwritable !== undefined) return `${nameOf(change)}: ${unwritable}`
    if (readFileSync(change.file, 'utf8') !== change.before)
      return `${nameOf(change)}: the file was changed a moment ago. Promote it again.`
  }
  const done: TextChange[] = []
  for (const change of changes) {
    try {
      if (change.after === '') rmSync(change.file)
      else rewriteFile(change.file, change.after)
      done.push(change)
    } catch (error: unknown) {
      for (const { file, before } of done.toReversed()) rewriteFile(file, before)
      return `${nameOf(change)} cannot be written: ${describeFileError(error)}`
    }
  }
  return undefined
}
