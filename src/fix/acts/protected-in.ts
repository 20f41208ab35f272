import { allProgramsOf } from '../../checkpoint/programs-of.ts'
import {
  findProtectedChanges,
  mayBeProtected,
  testFilesOf,
  type ChangedFile,
} from '../../checkpoint/protected-files.ts'
import type { ActContext } from '../fix-context.ts'
import type { Failure } from '../test-results.ts'

interface Judged {
  /** Taken before the attempt. */
  readonly checkpoint: string
  /** Tests that failed before it. */
  readonly failing: readonly Failure[]
  /** Text of the script that runs the tests, where there is one. */
  readonly script: string | undefined
}

/** Of these files, those that an attempt may not change. */
export async function protectedIn(
  changedFiles: readonly string[],
  { checkpoint, failing, script }: Judged,
  { checkpoints }: Pick<ActContext, 'checkpoints'>,
): Promise<readonly string[]> {
  if (changedFiles.length === 0) return []
  const read = (path: string): Promise<string | undefined> => checkpoints.read(checkpoint, path)
  const changed: ChangedFile[] = []
  for (const path of changedFiles.filter(mayBeProtected)) {
    const [before, after] = await Promise.all([read(path), checkpoints.read(`${checkpoint}-after`, path)])
    changed.push({ path, before, after })
  }
  const forbidden = new Set([
    ...findProtectedChanges(changed),
    ...(await testFilesOf(failing, read)),
    ...(await allProgramsOf(script === undefined ? [] : [script], read)),
  ])
  return changedFiles.filter((path) => forbidden.has(path))
}
