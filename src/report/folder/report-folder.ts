import { MdtestError } from '../../system/mdtest-error.ts'
import { describeFileError } from '../../system/files/file-errors.ts'
import { isInside } from '../../system/files/paths.ts'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname, join, relative, sep, basename } from 'node:path'
import { summarizeCoverage, type CoverageReport } from '../../coverage/coverage.ts'
import { writeLogFile } from '../../records/folders/write-log-file.ts'
import { groundFor, type Ground } from '../../system/files/ground.ts'
import { readFolderIfAny, readFolder } from '../../system/files/list-files.ts'
import { lookAt, readFileIn, readForeignFile } from '../../system/files/read-file.ts'
import { openKeptFiles, type KeptFiles, contentHash } from './kept-files.ts'
import { renderSpec } from '../render/render-spec.ts'
import type { RunRecord } from '../records/run-record.ts'
import { scriptJson } from '../render/html.ts'
import { specAnchor, type SpecRecord } from '../records/spec-record.ts'
import { digestSpec, summarize, type SpecDigest } from './summary.ts'
import { ownFile } from '../../system/own-package.ts'
import { removeIn, makeFolder, replaceFile, createFile } from '../../system/files/write-file.ts'

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

/** In the page of each report: what else is in its folder is ours as well. */
const mark = '<meta name="generator" content="vitest-mdtest"'
const maxPageBytes = 256 * 1024 * 1024

/** What a report writes directly into its folder. */
const pageFiles: readonly string[] = ['index.html', 'coverage.html', 'report.css', 'report.js']
/** And scripts, by what they begin with. */
const scripts: Readonly<Record<string, string>> = {
  'summary.js': 'var mdtestSummary=',
  'coverage.js': 'var mdtestCoverage=',
}

interface Place {
  /** Absolute path of the folder. */
  readonly dir: string
  readonly root: string
}

/**
 * Makes a folder that of a report. Git is told to ignore it where it is new; one that holds something else as well stays as
 * git has it.
 *
 * @returns below what no link is followed
 * @throws {MdtestError} `OPTION_INVALID` where it holds the project, files of somebody else's that would be replaced, or is
 *   reached through a link of the project.
 */
function takeFolder({ dir, root }: Place): Ground {
  if (isInside(root, dir)) {
    const message = `A report needs a folder of its own, got \`${dir}\`, which holds the project.`
    throw new MdtestError('OPTION_INVALID', message, { hint: 'Name one below it, such as `mdtest-report`.' })
  }
  const ground = groundFor(dir, root)
  try {
    makeFolder(ground, dir)
  } catch (error: unknown) {
    const why = describeFileError(error)
    throw new MdtestError('OPTION_INVALID', `\`${dir}\` can be no folder of a report (${why}).`, {
      hint: 'Give the report a folder of its own.',
      cause: error,
    })
  }
  const foreign = foreignFile(dir, ground)
  if (foreign !== undefined) {
    const message = `\`${foreign}\` is no report, and would be replaced.`
    throw new MdtestError('OPTION_INVALID', message, { hint: 'Give the report a folder of its own.' })
  }
  if (readFolder(ground, dir).length === 0) createFile(ground, join(dir, '.gitignore'), '*\n')
  return ground
}

/** A page that is there says whose the folder is; without it one of the scripts does. */
function foreignFile(dir: string, ground: Ground): string | undefined {
  const page = join(dir, 'index.html')
  const read = readFileIn(ground, page, maxPageBytes)
  if (read.ok && read.bytes.includes(mark)) return undefined
  if (read.ok || read.why !== 'missing') return page
  const isOurs = Object.entries(scripts).some(([name, start]) => {
    const script = readFileIn(ground, join(dir, name), maxPageBytes)
    return script.ok && script.bytes.subarray(0, start.length).toString('latin1') === start
  })
  if (isOurs) return undefined
  const names = [...pageFiles, ...Object.keys(scripts)]
  return names.map((name) => join(dir, name)).find((file) => lookAt(ground, file) !== undefined)
}
