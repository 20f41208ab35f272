import { randomUUID } from 'node:crypto'
import { rename, rm, writeFile } from 'node:fs/promises'
import { MdtestError } from '../shared/mdtest-error.ts'

/**
 * Writes a file of a run, its absolute path `file`, whole or not at all: a reader sees the old file or
 * the new one. A link or pipe in its place is replaced, not followed. The folder has to exist.
 *
 * @throws MdtestError `LOG_UNWRITABLE` when it cannot be written, for example because a folder has its name.
 */
export async function writeLogFile(file: string, text: string): Promise<void> {
  // In the same folder, because a rename is atomic only within one file system.
  const temporary = `${file}.${randomUUID()}.tmp`
  try {
    await writeFile(temporary, text, { flag: 'wx' })
    await rename(temporary, file)
  } catch (error: unknown) {
    await removeQuietly(temporary)
    throw unwritable(file, error)
  }
}

async function removeQuietly(file: string): Promise<void> {
  try {
    await rm(file, { force: true })
  } catch {
    // The error that led here says more; pruning removes the rest with its run.
  }
}

function unwritable(file: string, cause: unknown): MdtestError {
  const why = cause instanceof Error ? cause.message : String(cause)
  return new MdtestError('LOG_UNWRITABLE', `The file \`${file}\` cannot be written (${why}).`, {
    hint: 'Make its folder writable and remove what has its name.',
    cause,
  })
}
