import { join } from 'node:path'
import { makeRunFolder, pruneRunFolders } from '../../../records/folders/run-folders.ts'
import { writeLogFile } from '../../../records/folders/write-log-file.ts'
import { groundAt, type Ground } from '../../../system/files/ground.ts'
import { createFile, makeFolder } from '../../../system/files/write-file.ts'
import { MdtestError } from '../../../system/mdtest-error.ts'
import type { GateResults } from './gate-results.ts'
import { describeFileError } from '../../../system/files/file-errors.ts'

const parent = '.mdtest/gate'
const fileName = 'gate_results.json'
/** How many of the newest folders stay. */
const keptFolders = 20

/** Where the evidence of one run of the gates is. */
export interface EvidencePlace {
  readonly folder: string
  /** The project: below it no link is followed. */
  readonly ground: Ground
}

/**
 * Makes a folder for the evidence of one run of the gates, named by its time, also against other processes. Old ones
 * are removed, and git is told to ignore them all.
 *
 * @param root absolute path
 * @returns its absolute path, and the project, below which no link is followed
 * @throws MdtestError `LOG_FOLDER_UNWRITABLE`
 */
export function makeEvidenceFolder(root: string, now: Date): EvidencePlace {
  const folder = join(root, parent)
  const ground = groundAt(root)
  try {
    keepEvidenceFolder(ground, folder)
    const runs = { parent: folder, ground }
    const current = makeRunFolder(runs, now)
    pruneRunFolders({ ...runs, current, keep: keptFolders })
    return { folder: join(folder, current), ground }
  } catch (error: unknown) {
    const why = describeFileError(error)
    throw new MdtestError(
      'LOG_FOLDER_UNWRITABLE',
      `The folder \`${folder}\` for evidence cannot be written (${why}).`,
      {
        hint: 'Make it a folder that can be written.',
        cause: error,
      },
    )
  }
}

/**
 * Makes the folder of all runs where it is not there, or not any more: an agent may remove what git ignores.
 *
 * @param folder absolute path
 */
export function keepEvidenceFolder(ground: Ground, folder: string): void {
  makeFolder(ground, folder)
  createFile(ground, join(folder, '.gitignore'), '*\n')
}

/**
 * Writes the evidence, whole or not at all.
 *
 * @returns absolute path of the file
 * @throws MdtestError `LOG_UNWRITABLE`
 */
export function writeEvidence({ folder, ground }: EvidencePlace, evidence: GateResults): string {
  const file = join(folder, fileName)
  writeLogFile(ground, file, `${JSON.stringify(evidence, undefined, 2)}\n`)
  return file
}
