import { realpath } from 'node:fs/promises'
import { findRepository } from '../common/find-repository.ts'
import { SetUpError } from '../common/set-up-error.ts'

/** As `findRepository`, but without git it is the current directory. */
export async function findProject(root: string | undefined, cwd: string): Promise<string> {
  if (root !== undefined) return findRepository(root, cwd)
  return findRepository(undefined, cwd).catch((error: unknown) => {
    if (error instanceof SetUpError) return realpath(cwd)
    throw error
  })
}
