import { realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { ResolvedOptions } from '../../plan/options/option-defaults.ts'
import { messageOf } from '../../system/error-facts.ts'
import { isTaken, repositoryOf, statsOf } from '../../system/files/paths.ts'
import { MdtestError } from '../../system/mdtest-error.ts'
import { plainText } from '../../system/text/plain-text.ts'
import { SetUpError } from './cli.ts'

export async function suiteOptions(root: string, onCacheDir?: (folder: string) => void): Promise<ResolvedOptions> {
  // Load Vitest only now, because it is large, and `--help` does not need it.
  const { loadOptions } = await import('../../vitest/plugin/load-options.ts')
  try {
    return await loadOptions(root, onCacheDir)
  } catch (error: unknown) {
    throw configurationError(root, error)
  }
}

export function configurationError(root: string, error: unknown): SetUpError | MdtestError {
  if (error instanceof SetUpError || error instanceof MdtestError) return error
  const why = plainText(stripVTControlCharacters(messageOf(error)))
  return new SetUpError(`The Vitest configuration of ${root} cannot be loaded: ${why}`)
}

/** Real path of `--dir`, or of the current directory. @throws {SetUpError} if it is no directory */
export async function suiteRoot(dir: string | undefined, cwd: string): Promise<string> {
  return await realFolder('--dir', dir ?? '.', cwd)
}

async function realFolder(flag: string, folder: string, cwd: string): Promise<string> {
  const path = resolve(cwd, folder)
  if (!statsOf(path)?.isDirectory()) throw new SetUpError(`\`${flag} ${folder}\` is not a directory.`)
  return await realpath(path)
}

/** Real path of `--root`, or of the nearest folder with `.git`. @throws {SetUpError} if there is none */
export async function findRepository(root: string | undefined, cwd: string): Promise<string> {
  if (root !== undefined) return await realFolder('--root', root, cwd)
  const found = repositoryOf(cwd)
  if (isTaken(join(found, '.git'))) return await realpath(found)
  throw new SetUpError(`${cwd} is in no git repository: name the root of the project with \`--root DIR\`.`)
}

/** Like `findRepository`, but without a repository it returns the current directory. */
export async function findProject(root: string | undefined, cwd: string): Promise<string> {
  return root === undefined ? await realpath(repositoryOf(cwd)) : await findRepository(root, cwd)
}
