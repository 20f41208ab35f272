import { existsSync } from 'node:fs'
import { copyFile, mkdir, readdir, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative, sep } from 'node:path'
import { writeLogFile } from '../result-log/write-log-file.ts'
import { openKeptFiles, type KeptFiles } from './kept-files.ts'
import { renderSpec } from './render-spec.ts'
import type { RunRecord } from './run-record.ts'
import { scriptJson } from './script-text.ts'
import type { SpecRecord } from './spec-record.ts'
import { renderSession } from './sessions/render-session.ts'
import type { SessionRecord } from './sessions/session-record.ts'
import {
  summarizeSession,
  type SessionsSummary,
  type SessionSummary,
  type UnreadableSession,
} from './sessions/session-summary.ts'
import { dataFolder, keyOf, keyOfSession } from './stored-records.ts'
import { summarize, summarizeSpec, type SpecSummary } from './summary.ts'
import { takeFolder } from './take-folder.ts'

/** A report that is being written. */
export interface ReportFolder {
  /** Where files of runs are copied to. */
  readonly kept: KeptFiles
  /** Stores a spec, in place of what was known of it. */
  putSpec(record: SpecRecord): Promise<void>
  /** Stores a run, in place of what was known of it. */
  putRun(run: RunRecord): Promise<void>
  /** Writes what the page of specs begins with. */
  writeSummary(): Promise<void>
  /** Stores a session of `mdtest fix`. */
  putSession(record: SessionRecord): Promise<void>
  /** Writes what the page of sessions begins with: those that were stored, and those that could not be read. */
  writeSessions(unreadable: readonly UnreadableSession[]): Promise<void>
}

/** What a run writes into each folder, by the names that it may have there. Whatever else is there stays, sessions too. */
const folders: Readonly<Record<string, RegExp>> = {
  [dataFolder]: /^(?:spec|run)-[\w-]+\.json$/,
  specs: /^[\da-f]{16}\.js$/,
  images: /^[\da-f]{16}\.(?:png|jpg|gif|webp)$/,
  logs: /^[\da-f]{16}-[\w.-]+$/,
}
const pageFiles = ['index.html', 'sessions.html', 'report.css', 'report.js']

interface ReportInput {
  /** Absolute path of the folder; it is made. */
  readonly dir: string
  /** Absolute path of the suite root, for links to its files. */
  readonly root: string
}

/**
 * Opens the folder of a report for writing.
 * @throws {MdtestError} `OPTION_INVALID`, `LOG_UNWRITABLE`, or an error of the file system, where it cannot be written.
 */
export async function openReport({ dir, root }: ReportInput): Promise<ReportFolder> {
  await takeFolder({ dir, root })
  for (const folder of [dataFolder, 'specs']) await mkdir(join(dir, folder), { recursive: true })
  const page = dirname(createRequire(import.meta.url).resolve('#report-page'))
  for (const name of pageFiles) await copyFile(join(page, name), join(dir, name))
  // Each page asks what the other one has to tell.
  await begin(join(dir, 'summary.js'), summaryScript([], []))
  await begin(join(dir, 'sessions.js'), sessionsScript({ sessions: [], unreadable: [] }))
  const toRoot = relative(dir, root).split(sep).map(encodeURIComponent).join('/')
  const specs = new Map<string, SpecSummary>()
  const runs = new Map<string, RunRecord>()
  const sessions: SessionSummary[] = []
  return {
    kept: openKeptFiles(dir),
    async putSpec(record) {
      const key = keyOf(record)
      const content = renderSpec(record, toRoot).text
      await writeLogFile(join(dir, dataFolder, `spec-${key}.json`), JSON.stringify(record))
      await writeLogFile(join(dir, 'specs', `${key}.js`), `mdtestShow(${scriptJson(key)},${scriptJson(content)})\n`)
      specs.set(key, summarizeSpec(record, key))
    },
    async putRun(run) {
      await writeLogFile(join(dir, dataFolder, `run-${run.id}.json`), JSON.stringify(run))
      runs.set(run.id, run)
    },
    async writeSummary() {
      await writeLogFile(join(dir, 'summary.js'), summaryScript([...specs.values()], [...runs.values()]))
    },
    async putSession(record) {
      const key = keyOfSession(record)
      const content = renderSession(record).text
      await mkdir(join(dir, 'sessions'), { recursive: true })
      await writeLogFile(join(dir, dataFolder, `session-${key}.json`), JSON.stringify(record))
      await writeLogFile(join(dir, 'sessions', `${key}.js`), `mdtestShow(${scriptJson(key)},${scriptJson(content)})\n`)
      sessions.push(summarizeSession(record))
    },
    async writeSessions(unreadable) {
      await writeLogFile(join(dir, 'sessions.js'), sessionsScript({ sessions, unreadable }))
    },
  }
}

function summaryScript(...parts: Parameters<typeof summarize>): string {
  return `var mdtestSummary=${scriptJson(summarize(...parts))}\n`
}

function sessionsScript(summary: SessionsSummary): string {
  return `var mdtestSessions=${scriptJson(summary)}\n`
}

async function begin(file: string, text: string): Promise<void> {
  if (!existsSync(file)) await writeLogFile(file, text)
}

/** Removes what an earlier run left in the folder of a report (absolute), and nothing else. */
export async function clearReport(dir: string): Promise<void> {
  for (const [folder, names] of Object.entries(folders)) {
    const entries = await readdir(join(dir, folder)).catch(() => [])
    for (const name of entries) if (names.test(name)) await rm(join(dir, folder, name), { force: true })
  }
}
