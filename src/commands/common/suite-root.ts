import { realpath, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { SetUpError } from './set-up-error.ts'

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
