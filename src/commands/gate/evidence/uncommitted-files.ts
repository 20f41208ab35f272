import { resolve } from 'node:path'
import { createGit } from '../../attempt/git/git.ts'

/** A file that is not as it will be committed. */
export interface UncommittedFile {
  /** Relative to the work tree. */
  readonly path: string
  readonly isTracked: boolean
}

/**
 * Files of the work tree that differ from what is about to be committed. None, where no hook of git has started us: then
 * nothing is about to be.
 *
 * @param root absolute path
 * @param env as git gave it
 * @throws MdtestError `EXEC_GIT_FAILED`
 */
export async function uncommittedFiles(
  root: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<readonly UncommittedFile[]> {
  const { GIT_INDEX_FILE: indexFile } = env
  if (indexFile === undefined) return []
  const top = (await createGit(root, env)(['rev-parse', '--show-toplevel'])).toString().trimEnd()
  // For `git commit FILE` it is an index of its own. Its path is that of a hook, which is started at the top.
  const index = resolve(top, indexFile)
  const output = await createGit(top, env)(['status', '--porcelain', '--no-renames', '-z'], { index })
  return output
    .toString()
    .split('\0')
    .filter((entry) => entry !== '' && entry[1] !== ' ')
    .map((entry) => ({ path: entry.slice(3), isTracked: !entry.startsWith('??') }))
}
