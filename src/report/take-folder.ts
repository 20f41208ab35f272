import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { MdtestError } from '../shared/mdtest-error.ts'

/** In the page of each report. */
const mark = '<meta name="generator" content="vitest-mdtest"'

interface Place {
  /** Absolute path of the folder. */
  readonly dir: string
  /** Absolute path of the suite root. */
  readonly root: string
}

/**
 * Makes a folder that of a report. Git is told to ignore it where it is new; one that holds something else as well stays as
 * git has it.
 * @throws {MdtestError} `OPTION_INVALID` where it holds the project, or a page of somebody else's, which would be replaced.
 */
export async function takeFolder({ dir, root }: Place): Promise<void> {
  if (!relative(dir, root).startsWith('..')) {
    const message = `A report needs a folder of its own, got \`${dir}\`, which holds the project.`
    throw new MdtestError('OPTION_INVALID', message, { hint: 'Name one below it, such as `mdtest-report`.' })
  }
  const file = join(dir, 'index.html')
  const page = await readFile(file, 'utf8').catch(() => mark)
  if (!page.includes(mark)) {
    const message = `\`${file}\` is no report, and would be replaced.`
    throw new MdtestError('OPTION_INVALID', message, { hint: 'Give the report a folder of its own.' })
  }
  await mkdir(dir, { recursive: true })
  if ((await readdir(dir)).length === 0) await writeFile(join(dir, '.gitignore'), '*\n')
}
