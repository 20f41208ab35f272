import type { Ground } from '../../system/files/ground.ts'
import { MdtestError } from '../../system/mdtest-error.ts'
import { describeFileError } from '../../system/files/file-errors.ts'
import { dirname } from 'node:path'
import { replaceFile, makeFolder, removeIn } from '../../system/files/write-file.ts'

/** Writes a file whole or not at all. Links and pipes are replaced. @throws MdtestError `LOG_UNWRITABLE` */
export function writeLogFile(ground: Ground, file: string, text: string): void {
  try {
    replaceFile(ground, file, text)
  } catch (error: unknown) {
    const why = describeFileError(error)
    throw new MdtestError('LOG_UNWRITABLE', `The file \`${file}\` cannot be written (${why}).`, {
      hint: 'Make its folder writable and remove what has its name.',
      cause: error,
    })
  }
}

/** Removes what an agent put in the place of a file of ours, and makes the folder where that is gone. Never throws. */
export function clearPlace(ground: Ground, file: string): void {
  try {
    makeFolder(ground, dirname(file))
    removeIn(ground, file)
  } catch {
    // Writing the file fails as well, and says why.
  }
}
