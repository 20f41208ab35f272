import { isAbsolute, normalize, relative, resolve, sep } from 'node:path'
import { MdtestError } from '../../system/mdtest-error.ts'
import { realPathOf } from '../../system/files/trusted-folder.ts'
import { isInside, statsOf } from '../../system/files/paths.ts'
import { cutLine } from '../../system/text/plain-text.ts'
import type { RunScope } from '../runner.ts'

/** Maximum length of a target. No path on a supported system is longer. */
export const maxTargetChars = 1024

const unfit = /[\p{Cc}\p{Surrogate}\u2028\u2029]/u

/** Refuses files outside of the repository and targets that look like options. @throws MdtestError `OPTION_TARGET` */
export function checkScope(run: RunScope, root: string): RunScope {
  if (run.scope === 'all') return run
  assertText(run.target)
  if (run.scope === 'pattern') return run
  const target = checkPath({ name: 'target', path: run.target }, root)
  const stats = statsOf(resolve(root, target))
  if (stats === undefined) throw refused(target, 'does not exist in the repository', 'Name a test file that is there.')
  if (!stats.isFile()) throw refused(target, 'is not a file', 'Name one test file, or use the scope `all`.')
  // The path lost its `./`, so check again that it does not look like an option.
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

const examples = { target: 'src/sum.test.ts', report_dir: '.cache/mdtest/reports' } as const

/** Checks that the real path, existing or not, is inside the repository. @throws MdtestError `OPTION_PATH` */
export function checkPath({ name, path }: { name: keyof typeof examples; path: string }, root: string): string {
  const refuse = (why: string): MdtestError =>
    new MdtestError('OPTION_PATH', `\`${name}\` ${JSON.stringify(cutLine(path, 200))} ${why}.`, {
      hint: `Give a path relative to the root of the repository, with \`/\`, such as \`${examples[name]}\`.`,
    })
  if (path.trim() === '') throw refuse('is empty')
  if (/[\p{Cc}\u2028\u2029]/u.test(path)) throw refuse('holds a control character')
  if (isAbsolute(path) || /^(?:[A-Za-z]:|[\\/~])/.test(path)) throw refuse('is not relative')
  if (path.includes('\\')) throw refuse('holds a backslash')
  const inside = normalize(path).replace(/\/$/, '')
  if (inside.split(sep).includes('..')) throw refuse('leads out of the repository')
  const real = realPathOf(resolve(root, inside))
  const realInside = relative(root, real)
  if (!isInside(real, root)) throw refuse('leads out of the repository through a link')
  const parts = [inside, realInside].flatMap((each) => each.split(sep))
  if (parts.some((part) => part.toLowerCase() === '.git')) throw refuse('leads into the folder of git')
  // On a file system that ignores case, the path exists in another spelling. A runner would find no test.
  if (realInside !== inside && realInside.toLowerCase() === inside.toLowerCase()) {
    throw refuse(`is written \`${realInside}\` on disk`)
  }
  return inside
}
