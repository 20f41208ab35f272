import type { Checkpoints } from '../checkpoints/checkpoints.ts'
import { findProtectedChanges, mayBeProtected, type ChangedFile } from './protected-files.ts'

interface Attempt {
  readonly checkpoints: Pick<Checkpoints, 'read'>
  /** Names of the checkpoints before and after it. */
  readonly before: string
  readonly after: string
  /** Files that decide what passes, whatever their names. */
  readonly judges: ReadonlySet<string>
}

/** Of the files that an attempt changed, those that it may not change, in their order. */
export async function forbiddenChanges(
  paths: readonly string[],
  { checkpoints, before, after, judges }: Attempt,
): Promise<readonly string[]> {
  const changed: ChangedFile[] = []
  for (const path of paths.filter((each) => !judges.has(each) && mayBeProtected(each))) {
    const [was, is] = await Promise.all([checkpoints.read(before, path), checkpoints.read(after, path)])
    changed.push({ path, before: was, after: is })
  }
  const forbidden = new Set(findProtectedChanges(changed))
  return paths.filter((path) => judges.has(path) || forbidden.has(path))
}
