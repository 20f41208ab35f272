import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeRunFolder, pruneRunFolders } from '../result-log/run-folders.ts'
import { writeLogFile } from '../result-log/write-log-file.ts'
import { MdtestError } from '../shared/mdtest-error.ts'
import type { GateResults } from './gate-results.ts'

const parent = '.mdtest/gate'
const fileName = 'gate_results.json'
/** How many of the newest folders stay. */
const keptFolders = 20

/**
 * Makes a folder for the evidence of one run of the gates, named by its time, also against other processes. Old ones
 * are removed, and git is told to ignore them all.
 *
 * @param root absolute path
 * @returns its absolute path
 * @throws MdtestError `LOG_FOLDER_UNWRITABLE`
 */
export async function makeEvidenceFolder(root: string, now: Date): Promise<string> {
  const folder = join(root, parent)
  try {
    keepEvidenceFolder(folder)
    const current = makeRunFolder(folder, now)
    await pruneRunFolders(folder, { current, keep: keptFolders })
    return join(folder, current)
  } catch (error: unknown) {
    const why = error instanceof Error ? error.message : String(error)
    throw new MdtestError(
      'LOG_FOLDER_UNWRITABLE',
      `The folder \`${folder}\` for evidence cannot be written (${why}).`,
      {
        hint: 'Make it writable.',
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
export function keepEvidenceFolder(folder: string): void {
  mkdirSync(folder, { recursive: true })
  if (!existsSync(join(folder, '.gitignore'))) writeFileSync(join(folder, '.gitignore'), '*\n')
}

/**
 * Writes the evidence, whole or not at all.
 *
 * @param folder absolute path
 * @returns absolute path of the file
 * @throws MdtestError `LOG_UNWRITABLE`
 */
export async function writeEvidence(folder: string, evidence: GateResults): Promise<string> {
  const file = join(folder, fileName)
  await writeLogFile(file, `${JSON.stringify(evidence, undefined, 2)}\n`)
  return file
}
