import { uncommittedFiles } from './evidence/uncommitted-files.ts'
import { plainLine } from '../../system/text/plain-text.ts'
import { plural } from '../../system/text/plural.ts'
import type { Surroundings } from '../common/surroundings.ts'

const maxNames = 10

/** In a hook, says which files the gates have judged that will not be committed so. */
export async function warnOfUncommitted(
  root: string,
  { env, stderr }: Pick<Surroundings, 'env' | 'stderr'>,
): Promise<void> {
  const files = await uncommittedFiles(root, env)
  if (files.length === 0) return
  const names = files
    .slice(0, maxNames)
    .map(({ path, isTracked }) => `  ${plainLine(path)} (${isTracked ? 'not all of it is staged' : 'not in git'})`)
  const more = files.length > maxNames ? [`  and ${files.length - maxNames} more`] : []
  const lines = [
    `mdtest gate: warning: the gates judged the files as they are, and ${plural(files.length, 'file')} will not be committed so:`,
    ...names,
    ...more,
  ]
  stderr.write(lines.map((line) => `${line}\n`).join(''))
}
