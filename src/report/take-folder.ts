import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { MdtestError } from '../shared/mdtest-error.ts'

/** In the page of each report. */
const mark = '<meta name="generator" content="vitest-mdtest"'

/**
 * Takes a folder (absolute) for a report. Git is told to ignore it where it is new; one that holds something else as well
 * stays as git has it.
 * @throws {MdtestError} `LOG_UNWRITABLE` where it has a page of somebody else's, which would be replaced.
 */
export async function takeFolder(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true })
  const page = await readFile(join(dir, 'index.html'), 'utf8').catch(() => mark)
  if (!page.includes(mark)) {
    throw new MdtestError('LOG_UNWRITABLE', `\`${join(dir, 'index.html')}\` is no report, and would be replaced.`, {
      hint: 'Give the report a folder of its own.',
    })
  }
  if ((await readdir(dir)).length === 0) await writeFile(join(dir, '.gitignore'), '*\n')
}
