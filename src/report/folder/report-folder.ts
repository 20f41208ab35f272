import { createHash } from 'node:crypto'
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
import { specAnchor, type SpecRecord } from '../records/spec-record.ts'
import { digestSpec, summarize, type SpecDigest } from './summary.ts'
import { pageFiles, takeFolder } from './take-folder.ts'
import { ownFile } from '../../system/own-file.ts'

/** A report that is being written. */
export interface ReportFolder {
  /** Below what no link is followed. */
  readonly ground: Ground
  /** Where files of runs are copied to. */
  readonly kept: KeptFiles
  /** Writes a spec, in place of what was known of it. */
  putSpec(record: SpecRecord): Promise<void>
  /** Writes what the page of specs begins with. */
  writeSummary(run: RunRecord): Promise<void>
  /** Writes the page of requirements. */
  writeCoverage(coverage: CoverageReport): Promise<void>
}

/** What a run writes into each folder, by the names that it has there. Other files stay. */
const folders: Readonly<Record<string, RegExp>> = {
  specs: /^[\da-f]{16}\.js$/,
  images: /^[\da-f]{16}\.(?:png|jpg|gif|webp)$/,
  logs: /^[\da-f]{16}-[\w.-]+$/,
}

/** Where a report is written. */
export interface ReportPlace {
  /** Absolute path of the folder; it is made. */
  readonly dir: string
  /** Absolute path of the suite root, for links to its files. */
  readonly root: string
}

/**
 * Opens the folder of a report for writing.
 * @throws {MdtestError} `OPTION_INVALID`, `LOG_UNWRITABLE`, or an error of the file system, where it cannot be written.
 */
export async function openReport({ dir, root }: ReportPlace): Promise<ReportFolder> {
  const ground = takeFolder({ dir, root })
  const write = (name: string, text: string): void => writeLogFile(ground, join(dir, name), text)
  const page = dirname(ownFile('#report-page'))
  for (const name of pageFiles) replaceFile(ground, join(dir, name), readFileSync(join(page, name)))
  makeFolder(ground, join(dir, 'specs'))
  const isThere = (name: string): boolean => lookAt(ground, join(dir, name)) !== undefined
  const project = projectName(root)
  if (!isThere('coverage.js')) write('coverage.js', coverageScript(noCoverage))
  const toRoot = relative(dir, root).split(sep).map(encodeURIComponent).join('/')
  const specs = new Map<string, SpecDigest>()
  return {
    ground,
    kept: openKeptFiles({ dir, ground }),
    async putSpec(record) {
      const key = keyOf(record)
      const content = renderSpec(record, toRoot).text
      write(join('specs', `${key}.js`), `mdtestShow(${scriptJson(key)},${scriptJson(content)})\n`)
      specs.set(key, digestSpec(record, key))
    },
    async writeSummary(run) {
      write('summary.js', summaryScript([...specs.values()], { run, project }))
    },
    async writeCoverage(coverage) {
      write('coverage.js', coverageScript(coverage))
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

/** Removes what an earlier run left in the folder of a report, and nothing else. */
export function clearReport({ dir, root }: ReportPlace): void {
  const ground = groundFor(dir, root)
  for (const [folder, names] of Object.entries(folders))
    removeOwn(ground, join(dir, folder), (name) => names.test(name))
}

/** Removes files of ours in a folder (absolute path) of a report. */
function removeOwn(ground: Ground, folder: string, isStale: (name: string) => boolean): void {
  for (const { name } of readFolderIfAny(ground, folder)) {
    const file = join(folder, name)
    if (isStale(name) && isOwnFile(ground, file)) removeIn(ground, file)
  }
}

const maxBytes = 256 * 1024 * 1024

/** Names of files that are kept: what they hold, in short, and how they were called. */
const keptName = /^([\da-f]{16})[-.]/

/**
 * Whether a file (absolute path) in the folder of a report was written by mdtest: by what it holds, for its name alone may
 * be that of somebody else's file.
 */
function isOwnFile(ground: Ground, file: string): boolean {
  const read = readFileIn(ground, file, maxBytes)
  if (!read.ok) return false
  const key = keptName.exec(basename(file))?.[1]
  return read.bytes.subarray(0, 64).toString().startsWith(`mdtestShow("${key}",`) || key === contentHash(read.bytes)
}

/** The name under which all of a spec is kept. */
function keyOf(record: SpecRecord): string {
  return createHash('sha256').update(specAnchor(record)).digest('hex').slice(0, 16)
}
