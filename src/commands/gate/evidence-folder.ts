import { join } from 'node:path'
import { makeRunFolder } from '../../records/folders/prune-run-folders.ts'
import { describeFileError } from '../../system/files/file-errors.ts'
import { type Ground, groundAt } from '../../system/files/trusted-folder.ts'
import { createFile, makeFolder } from '../../system/files/write-file.ts'
import { MdtestError } from '../../system/mdtest-error.ts'

export const keptFolders = 20

export function makeEvidenceFolder(root: string, now: Date): { readonly folder: string; readonly ground: Ground } {
  const parent = join(root, '.mdtest/gate')
  const ground = groundAt(root)
  try {
    keepEvidenceFolder(ground, parent)
    const current = makeRunFolder({ parent, ground, keep: keptFolders }, now)
    return { folder: join(parent, current), ground }
  } catch (error: unknown) {
    const message = `The folder \`${parent}\` for evidence cannot be written (${describeFileError(error)}).`
    throw new MdtestError('LOG_FOLDER_UNWRITABLE', message, {
      hint: 'Make it a folder that can be written.',
      cause: error,
    })
  }
}

/** Creates the folder for all runs. An agent may have removed the folder, because git ignores it. */
export function keepEvidenceFolder(ground: Ground, parent: string): void {
  makeFolder(ground, parent)
  createFile(ground, join(parent, '.gitignore'), '*\n')
}
