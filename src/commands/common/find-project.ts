import { realpath, stat } from 'node:fs/promises'
import { SetUpError } from './set-up-error.ts'
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** As `findRepository`, but without git it is the current directory. */
export async function findProject(root: string | undefined, cwd: string): Promise<string> {
  if (root !== undefined) return findRepository(root, cwd)
  return findRepository(undefined, cwd).catch((error: unknown) => {
    if (error instanceof SetUpError) return realpath(cwd)
    throw error
  })
}

/**
 * The real path of the folder that `--root` names, by default of the nearest one with `.git` from `cwd` upwards.
 * @throws {SetUpError} if there is none.
 */
export async function findRepository(root: string | undefined, cwd: string): Promise<string> {
  if (root === undefined) return realpath(findGitRoot(cwd))
  const path = resolve(cwd, root)
  const stats = await stat(path).catch(() => undefined)
  if (!stats?.isDirectory()) throw new SetUpError(`\`--root ${root}\` is not a directory.`)
  return realpath(path)
}

function findGitRoot(cwd: string): string {
  // A file in a linked work tree.
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder
    if (dirname(folder) === folder) break
  }
  throw new SetUpError(`${cwd} is in no git repository: name the root of the project with \`--root DIR\`.`)
}
