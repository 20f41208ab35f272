import { readFileSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { summarizeCoverage, type CoverageReport } from '../../coverage/compute-coverage.ts'
import { writeLogFile } from '../../records/folders/log-file.ts'
import { describeFileError } from '../../system/files/file-errors.ts'
import { groundFor, type Ground } from '../../system/files/trusted-folder.ts'
import { readFolder, readFolderIfAny } from '../../system/files/list-files.ts'
import { isInside } from '../../system/files/paths.ts'
import { lookAt, readFileIn, readForeignFile } from '../../system/files/read-file.ts'
import { removeIn } from '../../system/files/remove-files.ts'
import { createFile, makeFolder, replaceFile } from '../../system/files/write-file.ts'
import { MdtestError } from '../../system/mdtest-error.ts'
import { ownFile } from '../../system/mdtest-package.ts'
import { memberOf, parseJson } from '../../system/text/parse-json.ts'
import type { RunRecord } from '../data/run-record.ts'
import { specAnchor, type SpecRecord } from '../data/spec-record.ts'
import { showSpec } from './document.ts'
import { contentHash, openKeptFiles, type KeptFiles } from './kept-files.ts'
import { summarize, summarizeSpec, type SpecSummary } from './summary.ts'

export interface ReportFolder {
  readonly kept: KeptFiles
  putSpec(record: SpecRecord): void
  writeSummary(run: RunRecord): void
  writeCoverage(coverage: CoverageReport): void
}

export interface ReportPlace {
  readonly dir: string
  readonly root: string
}

const pageFiles: readonly string[] = ['index.html', 'coverage.html', 'report.css', 'report.js']
/** Scripts of a report, each with the text at its start. This text shows that mdtest wrote the script. */
const scripts: Readonly<Record<string, string>> = {
  'summary.js': 'var mdtestSummary=',
  'coverage.js': 'var mdtestCoverage=',
}
/** Names of the files in each folder of a report. Other files are not touched. */
const folders: Readonly<Record<string, RegExp>> = {
  specs: /^[\da-f]{16}\.js$/,
  images: /^[\da-f]{16}\.(?:png|jpg|gif|webp)$/,
  logs: /^[\da-f]{16}-[\w.-]+$/,
}

export function openReport({ dir, root }: ReportPlace): ReportFolder {
  const ground = takeFolder({ dir, root })
  const writeScript = (name: string, value: unknown): void =>
    writeLogFile(ground, join(dir, name), `${scripts[name]}${scriptJson(value)}\n`)
  const page = dirname(ownFile('#report-page'))
  for (const name of pageFiles) replaceFile(ground, join(dir, name), readFileSync(join(page, name)))
  makeFolder(ground, join(dir, 'specs'))
  const project = projectName(root)
  if (lookAt(ground, join(dir, 'coverage.js')) === undefined)
    writeScript('coverage.js', { specs: [], summary: summarizeCoverage([]) } satisfies CoverageReport)
  const toRoot = relative(dir, root).split(sep).map(encodeURIComponent).join('/')
  const specs = new Map<string, SpecSummary>()
  return {
    kept: openKeptFiles({ dir, ground }),
    putSpec(record) {
      const key = contentHash(specAnchor(record))
      const text = `mdtestShow(${scriptJson(key)},${scriptJson(showSpec(record, toRoot))})\n`
      writeLogFile(ground, join(dir, 'specs', `${key}.js`), text)
      specs.set(key, summarizeSpec(record, key))
    },
    writeSummary(run) {
      writeScript('summary.js', summarize([...specs.values()], { run, project }))
    },
    writeCoverage(coverage) {
      writeScript('coverage.js', coverage)
    },
  }
}

/** Formats JSON that is safe inside a script or an HTML page, in any encoding that extends ASCII. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[<>\u007f-\u009f\u2028\u2029\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

const maxBytes = 256 * 1024 * 1024

function projectName(root: string): string {
  const manifest = parseJson(readForeignFile(join(root, 'package.json'), maxBytes)?.toString('utf8'))
  const name = memberOf(manifest, 'name')
  return typeof name === 'string' && name !== '' ? name : basename(root)
}

export function clearReport({ dir, root }: ReportPlace): void {
  const ground = groundFor(dir, root)
  for (const [folder, names] of Object.entries(folders)) {
    for (const { name } of readFolderIfAny(ground, join(dir, folder))) {
      const file = join(dir, folder, name)
      if (names.test(name) && isOwnFile(ground, file)) removeIn(ground, file)
    }
  }
}

/** Whether mdtest wrote a file. The content decides, because other programs may use the same names. */
function isOwnFile(ground: Ground, file: string): boolean {
  const read = readFileIn(ground, file, maxBytes)
  if (!read.ok) return false
  const key = basename(file).slice(0, 16)
  return read.bytes.subarray(0, 64).toString().startsWith(`mdtestShow("${key}",`) || key === contentHash(read.bytes)
}

/** @throws {MdtestError} `OPTION_INVALID` if the folder contains the project or files that mdtest did not write */
function takeFolder({ dir, root }: ReportPlace): Ground {
  if (isInside(root, dir)) {
    const message = `A report needs a folder of its own, got \`${dir}\`, which contains the project.`
    throw new MdtestError('OPTION_INVALID', message, { hint: 'Name one below it, such as `mdtest-report`.' })
  }
  const hint = 'Give the report a folder of its own.'
  const ground = groundFor(dir, root)
  try {
    makeFolder(ground, dir)
  } catch (error: unknown) {
    const message = `\`${dir}\` cannot be used as the folder of a report (${describeFileError(error)}).`
    throw new MdtestError('OPTION_INVALID', message, { hint, cause: error })
  }
  const foreign = foreignFile(dir, ground)
  if (foreign !== undefined) {
    throw new MdtestError('OPTION_INVALID', `\`${foreign}\` is no report, and would be replaced.`, { hint })
  }
  if (readFolder(ground, dir).length === 0) createFile(ground, join(dir, '.gitignore'), '*\n')
  return ground
}

/** Each page of a report contains this text. A folder with such a page belongs to mdtest. */
const mark = '<meta name="generator" content="vitest-mdtest"'

/** Finds a file that mdtest did not write but would replace. Checks the page. If there is no page, checks the scripts. */
function foreignFile(dir: string, ground: Ground): string | undefined {
  const page = join(dir, 'index.html')
  const read = readFileIn(ground, page, maxBytes)
  if (read.ok && read.bytes.includes(mark)) return undefined
  if (read.ok || read.why !== 'missing') return page
  const isOurs = Object.entries(scripts).some(([name, start]) => {
    const script = readFileIn(ground, join(dir, name), maxBytes)
    return script.ok && script.bytes.subarray(0, start.length).toString('latin1') === start
  })
  if (isOurs) return undefined
  const names = [...pageFiles, ...Object.keys(scripts)]
  return names.map((name) => join(dir, name)).find((file) => lookAt(ground, file) !== undefined)
}
