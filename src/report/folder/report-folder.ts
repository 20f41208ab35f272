import { readFileSync } from 'node:fs'
import { dirname, join, relative, sep, basename } from 'node:path'
import { summarizeCoverage, type CoverageReport } from '../../coverage/coverage.ts'
import { writeLogFile } from '../../records/folders/write-log-file.ts'
import { groundFor, type Ground } from '../../system/files/ground.ts'
import { readFolderIfAny } from '../../system/files/list-files.ts'
import { lookAt, readFileIn, readForeignFile } from '../../system/files/read-file.ts'
import { removeIn } from '../../system/files/remove.ts'
import { makeFolder, replaceFile } from '../../system/files/write-file.ts'
import { openKeptFiles, type KeptFiles, contentHash } from './kept-files.ts'
import { renderSpec } from '../render/render-spec.ts'
import type { RunRecord } from '../records/run-record.ts'
import { scriptJson } from '../render/html.ts'
import type { SpecRecord } from '../records/spec-record.ts'
import { renderSession } from '../sessions/render-session.ts'
import type { SessionRecord } from '../sessions/session-record.ts'
import {
  summarizeSession,
  type SessionsSummary,
  type SessionSummary,
  type UnreadableSession,
} from '../sessions/session-summary.ts'
import { dataFolder, keyOf, keyOfSession } from '../records/stored-records.ts'
import { digestSpec, summarize, type SpecDigest } from './summary.ts'
import { pageFiles, takeFolder } from './take-folder.ts'
import { ownFile } from '../../system/own-file.ts'

/** A report that is being written. */
export interface ReportFolder {
  /** Below what no link is followed. */
  readonly ground: Ground
  /** Where files of runs are copied to. */
  readonly kept: KeptFiles
  /** Stores a spec, in place of what was known of it. */
  putSpec(record: SpecRecord): Promise<void>
  /** Stores a run, in place of what was known of it. */
  putRun(run: RunRecord): Promise<void>
  /** Writes what the page of specs begins with. */
  writeSummary(): Promise<void>
  /** Writes the page of requirements. */
  writeCoverage(coverage: CoverageReport): Promise<void>
  /** Stores a session of `mdtest fix`. */
  putSession(record: SessionRecord): Promise<void>
  /** Writes what the page of sessions begins with: those that were stored, and those that could not be read. */
  writeSessions(unreadable: readonly UnreadableSession[]): Promise<void>
}

/** What a run writes into each folder, by the names that it has there. Other files stay, sessions too. */
const folders: Readonly<Record<string, RegExp>> = {
  [dataFolder]: /^(?:spec|run)-[\w-]+\.json$/,
  specs: /^[\da-f]{16}\.js$/,
  images: /^[\da-f]{16}\.(?:png|jpg|gif|webp)$/,
  logs: /^[\da-f]{16}-[\w.-]+$/,
}

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
  const ground = takeFolder({ dir, root })
  const write = (name: string, text: string): void => writeLogFile(ground, join(dir, name), text)
  const page = dirname(ownFile('#report-page'))
  for (const name of pageFiles) replaceFile(ground, join(dir, name), readFileSync(join(page, name)))
  for (const folder of [dataFolder, 'specs']) makeFolder(ground, join(dir, folder))
  // Each page asks what the other one has to tell.
  const isThere = (name: string): boolean => lookAt(ground, join(dir, name)) !== undefined
  const project = projectName(root)
  if (!isThere('summary.js')) write('summary.js', summaryScript([], { runs: [], project }))
  if (!isThere('sessions.js')) write('sessions.js', sessionsScript({ sessions: [], unreadable: [] }))
  if (!isThere('coverage.js')) write('coverage.js', coverageScript(noCoverage))
  const toRoot = relative(dir, root).split(sep).map(encodeURIComponent).join('/')
  const specs = new Map<string, SpecDigest>()
  const runs = new Map<string, RunRecord>()
  const sessions: SessionSummary[] = []
  return {
    ground,
    kept: openKeptFiles({ dir, ground }),
    async putSpec(record) {
      const key = keyOf(record)
      const content = renderSpec(record, toRoot).text
      write(join(dataFolder, `spec-${key}.json`), JSON.stringify(record))
      write(join('specs', `${key}.js`), `mdtestShow(${scriptJson(key)},${scriptJson(content)})\n`)
      specs.set(key, digestSpec(record, key))
    },
    async putRun(run) {
      write(join(dataFolder, `run-${run.id}.json`), JSON.stringify(run))
      runs.set(run.id, run)
    },
    async writeSummary() {
      write('summary.js', summaryScript([...specs.values()], { runs: [...runs.values()], project }))
    },
    async writeCoverage(coverage) {
      write('coverage.js', coverageScript(coverage))
    },
    async putSession(record) {
      const key = keyOfSession(record)
      const content = renderSession(record).text
      makeFolder(ground, join(dir, 'sessions'))
      write(join(dataFolder, `session-${key}.json`), JSON.stringify(record))
      write(join('sessions', `${key}.js`), `mdtestShow(${scriptJson(key)},${scriptJson(content)})\n`)
      sessions.push(summarizeSession(record))
    },
    async writeSessions(unreadable) {
      write('sessions.js', sessionsScript({ sessions, unreadable }))
    },
  }
}

function summaryScript(...parts: Parameters<typeof summarize>): string {
  return `var mdtestSummary=${scriptJson(summarize(...parts))}\n`
}

/** As `package.json` calls it, else as its folder is called. */
function projectName(root: string): string {
  const bytes = readForeignFile(join(root, 'package.json'), maxManifestBytes)
  try {
    const { name }: { readonly name?: unknown } = JSON.parse(bytes?.toString('utf8') ?? '{}')
    if (typeof name === 'string' && name !== '') return name
  } catch {
    // No JSON.
  }
  return basename(root)
}

const maxManifestBytes = 16 * 1024 * 1024

const noCoverage: CoverageReport = { specs: [], summary: summarizeCoverage([]) }

function coverageScript(coverage: CoverageReport): string {
  return `var mdtestCoverage=${scriptJson(coverage)}\n`
}

function sessionsScript(summary: SessionsSummary): string {
  return `var mdtestSessions=${scriptJson(summary)}\n`
}

/** Removes what an earlier run left in the folder of a report, and nothing else. */
export function clearReport({ dir, root }: ReportInput): void {
  const ground = groundFor(dir, root)
  for (const [folder, names] of Object.entries(folders))
    removeOwn(ground, join(dir, folder), (name) => names.test(name))
}

/** Removes files of ours in a folder (absolute path) of a report. */
export function removeOwn(ground: Ground, folder: string, isStale: (name: string) => boolean): void {
  for (const { name } of readFolderIfAny(ground, folder)) {
    const file = join(folder, name)
    if (isStale(name) && isOwnFile(ground, file)) removeIn(ground, file)
  }
}

const maxBytes = 256 * 1024 * 1024

/** What the content of files begins with that are not named by it. Records are written with these keys first. */
const beginnings: readonly (readonly [name: RegExp, start: (key: string) => string])[] = [
  [/^spec-[\da-f]{16}\.json$/, () => '{"version":1,"spec":"'],
  [/^run-[\w-]+\.json$/, () => '{"version":1,"id":"'],
  [/^([\da-f]{16})\.js$/, (key) => `mdtestShow("${key}",`],
]

/** Names of files that are kept: what they hold, in short, and how they were called. */
const keptName = /^([\da-f]{16})[-.]/

/**
 * Whether a file (absolute path) in the folder of a report was written by mdtest: by what it holds, for its name alone may
 * be that of somebody else's file.
 */
function isOwnFile(ground: Ground, file: string): boolean {
  const read = readFileIn(ground, file, maxBytes)
  if (!read.ok) return false
  const name = basename(file)
  for (const [form, start] of beginnings) {
    const found = form.exec(name)
    if (found)
      return read.bytes
        .subarray(0, 64)
        .toString('latin1')
        .startsWith(start(found[1] ?? ''))
  }
  return keptName.exec(name)?.[1] === contentHash(read.bytes)
}
