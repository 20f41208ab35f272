import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { compareStems, formatStem, parseLogEntry } from '../result-log/log-stem.ts'
import { MdtestError } from '../shared/mdtest-error.ts'
import { checkPath } from './check-path.ts'

/** Where one run of the tests is written down. */
export interface Report {
  /** Relative to the repository, with `/`. */
  readonly dir: string
  /** Absolute path of the same. */
  readonly path: string
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

const defaultDir = '.cache/mdtest/reports'

/**
 * Makes a folder for the report of a run, named by the time, also against other processes, and removes old reports.
 *
 * @throws MdtestError `OPTION_PATH`, `LOG_FOLDER_UNWRITABLE`
 */
export async function reserveReport({ root, dir = defaultDir, now, keep }: Reservation): Promise<Report> {
  const parent = await checkPath({ name: 'report_dir', path: dir }, root)
  const folder = join(root, parent)
  try {
    mkdirSync(folder, { recursive: true })
    if (dir === defaultDir && !existsSync(join(folder, '.gitignore'))) writeFileSync(join(folder, '.gitignore'), '*\n')
    const stem = reserveStem(folder, now)
    await pruneReports(folder, { current: stem, keep })
    return { dir: join(parent, stem), path: join(folder, stem) }
  } catch (error: unknown) {
    const why = error instanceof Error ? error.message : String(error)
    throw new MdtestError('LOG_FOLDER_UNWRITABLE', `The folder \`${folder}\` for reports cannot be written (${why}).`, {
      hint: 'Make it writable, or name another one as `report_dir`.',
      cause: error,
    })
  }
}

function reserveStem(folder: string, now: Date): string {
  for (let count = 1; ; count += 1) {
    const stem = formatStem(now, count)
    try {
      mkdirSync(join(folder, stem))
      return stem
    } catch (error: unknown) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    }
  }
}

/** Removes only folders that are named like reports and hold one. */
async function pruneReports(
  folder: string,
  { current, keep }: { readonly current: string; readonly keep: number },
): Promise<void> {
  const reports = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(folder, entry.name, reportFiles.json)))
    .flatMap((entry) => parseLogEntry(entry) ?? [])
    .filter(({ name }) => name !== current)
    .toSorted((a, b) => compareStems(a.stem, b.stem))
  for (const { name } of reports.slice(keep - 1)) {
    // Another process removes it too, or holds it open: an old report more does no harm.
    await rm(join(folder, name), { recursive: true, force: true }).catch(() => undefined)
  }
}
