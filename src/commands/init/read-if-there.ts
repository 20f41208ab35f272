import { readFile } from 'node:fs/promises'
import { describeFileError } from '../../system/files/describe-file-error.ts'
import { SetUpError } from '../common/set-up-error.ts'
import { errorCode } from '../../system/error-facts.ts'

/** A file as it is and as it is to be. */
export interface Change {
  /** Absolute path. */
  readonly file: string
  /** Absent where there is no such file. */
  readonly before?: string
  readonly after: string
}

/** The text of a file. @throws {SetUpError} where it is there and cannot be read */
export async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error: unknown) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw new SetUpError(`\`${file}\` cannot be read: ${describeFileError(error)}`)
  }
}
