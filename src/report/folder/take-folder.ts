import { join } from 'node:path'
import { groundFor, type Ground } from '../../system/files/ground.ts'
import { readFolder } from '../../system/files/list-files.ts'
import { lookAt, readFileIn } from '../../system/files/read-file.ts'
import { createFile, makeFolder } from '../../system/files/write-file.ts'
import { MdtestError } from '../../system/mdtest-error.ts'
import { describeFileError } from '../../system/files/describe-file-error.ts'
import { isInside } from '../../system/files/is-inside.ts'

/** In the page of each report: what else is in its folder is ours as well. */
const mark = '<meta name="generator" content="vitest-mdtest"'
const maxPageBytes = 256 * 1024 * 1024

/** What a report writes directly into its folder. */
export const pageFiles: readonly string[] = ['index.html', 'coverage.html', 'report.css', 'report.js']
/** And scripts, by what they begin with. */
const scripts: Readonly<Record<string, string>> = {
  'summary.js': 'var mdtestSummary=',
  'coverage.js': 'var mdtestCoverage=',
}

interface Place {
  /** Absolute path of the folder. */
  readonly dir: string
  /** Absolute path of the suite root. */
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
export function takeFolder({ dir, root }: Place): Ground {
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
