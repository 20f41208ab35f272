import { realpath } from 'node:fs/promises'
import { dirname, isAbsolute, join, normalize, relative, resolve, sep } from 'node:path'
import { MdtestError } from '../../system/mdtest-error.ts'
import { cutLine } from '../../system/text/plain-text.ts'
import { errorCode } from '../../system/error-facts.ts'
import { isInside } from '../../system/files/is-inside.ts'

/** A path that somebody gave, and what it is called in messages. */
export interface GivenPath {
  readonly name: 'target' | 'report_dir'
  readonly path: string
}

/**
 * Checks that a path names a place inside the repository, through links too, and gives it in its shortest form, with `/`.
 * It need not be there.
 *
 * @param root absolute, real path of the repository
 * @throws MdtestError `OPTION_PATH`
 */
export async function checkPath({ name, path }: GivenPath, root: string): Promise<string> {
  const refuse = (why: string): MdtestError => refused({ name, path }, why)
  if (path.trim() === '') throw refuse('is empty')
  if (/[\p{Cc}\u2028\u2029]/u.test(path)) throw refuse('holds a control character')
  if (isAbsolute(path) || /^(?:[A-Za-z]:|[\\/~])/.test(path)) throw refuse('is not relative')
  if (path.includes('\\')) throw refuse('holds a backslash')
  const inside = normalize(path).replace(/\/$/, '')
  if (inside.split(sep).includes('..')) throw refuse('leads out of the repository')
  if (inside.split(sep).some((part) => part.toLowerCase() === '.git')) throw refuse('leads into the folder of git')
  const real = await realPathOf(resolve(root, inside)).catch((error: unknown) => {
    throw refuse(`cannot be a path here (${errorCode(error) ?? String(error)})`)
  })
  const realInside = relative(root, real)
  if (!isInside(real, root)) throw refuse('leads out of the repository by a link')
  if (realInside.split(sep).some((part) => part.toLowerCase() === '.git')) throw refuse('leads into the folder of git')
  // On a file system that does not tell cases apart: the runner does, and would find no test.
  if (realInside !== inside && realInside.toLowerCase() === inside.toLowerCase()) {
    throw refuse(`is written \`${realInside}\` on disk`)
  }
  return inside
}

/** Of what is not there yet: that of the nearest folder that is, and the rest. */
async function realPathOf(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error: unknown) {
    if (!['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '') || dirname(path) === path) throw error
    return join(await realPathOf(dirname(path)), relative(dirname(path), path))
  }
}

function refused({ name, path }: GivenPath, why: string): MdtestError {
  return new MdtestError('OPTION_PATH', `\`${name}\` ${JSON.stringify(cutLine(path, 200))} ${why}.`, {
    hint: `Give a path relative to the root of the repository, with \`/\`, such as \`${examples[name]}\`.`,
  })
}

const examples = { target: 'src/sum.test.ts', report_dir: '.cache/mdtest/reports' } as const // literals for the type above
