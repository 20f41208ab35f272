import { forbiddenChanges } from '../../checkpoint/forbidden-changes.ts'
import { allProgramsOf } from '../../checkpoint/programs-of.ts'
import { testFilesOf } from '../../checkpoint/protected-files.ts'
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
  const programs = await allProgramsOf(script === undefined ? [] : [script], read)
  const judges = new Set([...(await testFilesOf(failing, read)), ...programs])
  return await forbiddenChanges(changedFiles, { checkpoints, before: checkpoint, after: `${checkpoint}-after`, judges })
}
