import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { RunScope } from '../runner.ts'
import { MdtestError } from '../../system/mdtest-error.ts'
import { checkPath } from './check-path.ts'

/** Characters of a target; more than any path on the systems that mdtest runs on is taken for a mistake. */
const maxTargetChars = 1024

/** Control characters, and halves of characters, which no argument of a program can hold. */
const unfit = /[\p{Cc}\p{Surrogate}\u2028\u2029]/u

/**
 * Checks what is to be run, before anything is: a file is there and inside the repository, and no target can be taken
 * for an option. Gives it with the file's path in its shortest form.
 *
 * @param root absolute, real path of the repository
 * @throws MdtestError `OPTION_TARGET`, `OPTION_PATH`
 */
export async function checkScope(run: RunScope, root: string): Promise<RunScope> {
  if (run.scope === 'all') return run
  assertText(run.target)
  if (run.scope === 'pattern') return run
  const target = await checkPath({ name: 'target', path: run.target }, root)
  const stats = await stat(resolve(root, target)).catch(() => undefined)
  if (stats === undefined) throw refused(target, 'does not exist in the repository', 'Name a test file that is there.')
  if (!stats.isFile()) throw refused(target, 'is not a file', 'Name one test file, or use the scope `all`.')
  // What was hidden behind `./` is the beginning now.
  assertText(target)
  return { scope: 'file', target }
}

function assertText(target: string): void {
  if (target.trim() === '') throw refused(target, 'is empty', 'Name a file or a pattern, or use the scope `all`.')
  if (target.length > maxTargetChars) {
    throw refused(`${target.slice(0, 40)}…`, `has more than ${maxTargetChars} characters`, 'Give a shorter one.')
  }
  if (unfit.test(target)) throw refused(target, 'holds a control character or half a character', 'Leave it out.')
  if (target.trimStart().startsWith('-')) {
    throw refused(target, 'begins with `-`, as options do', 'Begin a pattern with another part of the name.')
  }
}

function refused(target: string, why: string, hint: string): MdtestError {
  return new MdtestError('OPTION_TARGET', `\`target\` ${JSON.stringify(target)} ${why}.`, { hint })
}
