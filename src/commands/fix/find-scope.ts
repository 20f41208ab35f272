import { realpath } from 'node:fs/promises'
import { relative, resolve } from 'node:path'
import { isInside } from '../../system/files/is-inside.ts'
import { SetUpError } from '../common/set-up-error.ts'

/**
 * The path of a scope relative to the root, of one that is written relative to the root or to the current directory. With
 * a scope that is not there nothing would ever fail in it.
 *
 * @param root absolute, real path of the project
 * @throws {SetUpError} for one that is not there, or outside.
 */
export async function findScope(scope: string, { root, cwd }: { root: string; cwd: string }): Promise<string> {
  if (scope.trim() === '') throw new SetUpError('`--scope` takes a file or folder, got nothing.')
  const found = await Promise.all([root, cwd].map((folder) => realpath(resolve(folder, scope)).catch(() => undefined)))
  const paths = found.filter((path) => path !== undefined)
  const inside = paths.find((path) => isInside(path, root))
  if (inside !== undefined) return relative(root, inside) || '.'
  const why = paths.length === 0 ? 'There is no' : `Outside of \`${root}\` is the`
  throw new SetUpError(`${why} file or folder \`${scope}\` that \`--scope\` names; it is relative to \`${root}\`.`)
}
