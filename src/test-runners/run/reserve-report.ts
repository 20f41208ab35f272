import { join } from 'node:path'
import { makeRunFolder, pruneRunFolders } from '../../records/folders/run-folders.ts'
import { groundAt, type Ground } from '../../system/files/ground.ts'
import { createFile, makeFolder } from '../../system/files/write-file.ts'
import { MdtestError } from '../../system/mdtest-error.ts'
import { checkPath } from './check-scope.ts'
import { describeFileError } from '../../system/files/file-errors.ts'

/** Where one run of the tests is written down. */
export interface Report {
  /** Relative to the repository, with `/`. */
  readonly dir: string
  /** Absolute path of the same. */
  readonly path: string
  /** The repository: below it no link is followed. */
  readonly ground: Ground
}

/** Names of the files of a report. */
export const reportFiles = { rawLog: 'raw.log', markdown: 'summary.md', json: 'summary.json' } as const // they are names

interface Reservation {
  /** Absolute, real path of the repository. */
  readonly root: string
  /** Relative to it. */
  readonly dir?: string | undefined
  readonly now: Date
  /** How many of the newest reports stay, this one included; from 1. */
  readonly keep: number
}

/** Where reports are if nothing else is said, relative to the repository. */
export const defaultReportDir = '.cache/mdtest/reports'

/**
 * Makes a folder for the report of a run, named by the time, also against other processes, and removes old reports.
 *
 * @throws MdtestError `OPTION_PATH`, `LOG_FOLDER_UNWRITABLE`
 */
export async function reserveReport({ root, dir = defaultReportDir, now, keep }: Reservation): Promise<Report> {
  const parent = await checkPath({ name: 'report_dir', path: dir }, root)
  const folder = join(root, parent)
  const ground = groundAt(root)
  try {
    makeFolder(ground, folder)
    if (dir === defaultReportDir) createFile(ground, join(folder, '.gitignore'), '*\n')
    const runs = { parent: folder, ground }
    const current = makeRunFolder(runs, now)
    pruneRunFolders({ ...runs, current, keep })
    return { dir: join(parent, current), path: join(folder, current), ground }
  } catch (error: unknown) {
    const why = describeFileError(error)
    throw new MdtestError('LOG_FOLDER_UNWRITABLE', `The folder \`${folder}\` for reports cannot be written (${why}).`, {
      hint: 'Make it writable, or name another one as `report_dir`.',
      cause: error,
    })
  }
}
