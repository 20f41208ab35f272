import { stripVTControlCharacters } from 'node:util'
import type { ResolvedOptions } from '../../plan/options/resolve-options.ts'
import { MdtestError } from '../../system/mdtest-error.ts'
import { plainText } from '../../system/text/plain-text.ts'
import { SetUpError } from './set-up-error.ts'
import { messageOf } from '../../system/error-facts.ts'
import { realpath, stat } from 'node:fs/promises'
import { resolve } from 'node:path'

/**
 * The options of the `mdtest()` in the configuration of a suite.
 * @param root absolute path of the suite root
 * @throws {SetUpError} if the configuration cannot be loaded.
 */
export async function suiteOptions(root: string): Promise<ResolvedOptions> {
  // Vitest is large; `--help` needs none of it.
  const { loadOptions } = await import('../../vitest/plugin/load-options.ts')
  try {
    return await loadOptions(root)
  } catch (error: unknown) {
    throw configurationError(root, error)
  }
}

/** What to throw where loading a configuration threw something. */
export function configurationError(root: string, error: unknown): SetUpError | MdtestError {
  if (error instanceof SetUpError || error instanceof MdtestError) return error
  const why = messageOf(error)
  return new SetUpError(
    `The Vitest configuration of ${root} cannot be loaded: ${plainText(stripVTControlCharacters(why))}`,
  )
}

/**
 * The real path of the directory that `--dir` names, by default the current one.
 * @throws {SetUpError} if it is no directory.
 */
export async function suiteRoot(dir: string | undefined, cwd: string): Promise<string> {
  const path = resolve(cwd, dir ?? '.')
  const stats = await stat(path).catch(() => undefined)
  if (!stats?.isDirectory()) throw new SetUpError(`\`--dir ${dir}\` is not a directory.`)
  return realpath(path)
}
