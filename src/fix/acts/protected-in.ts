import { findProtectedChanges, mayBeProtected, type ChangedFile } from '../../checkpoint/protected-files.ts'
import type { ActContext } from '../fix-context.ts'

/** Of these files, those that an attempt may not change. `checkpoint` was taken before it. */
export async function protectedIn(
  changedFiles: readonly string[],
  checkpoint: string,
  { checkpoints }: Pick<ActContext, 'checkpoints'>,
): Promise<readonly string[]> {
  const changed: ChangedFile[] = []
  for (const path of changedFiles.filter(mayBeProtected)) {
    const [before, after] = await Promise.all([
      checkpoints.read(checkpoint, path),
      checkpoints.read(`${checkpoint}-after`, path),
    ])
    changed.push({ path, before, after })
  }
  return findProtectedChanges(changed)
}
