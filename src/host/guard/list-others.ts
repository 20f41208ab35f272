import { join, relative, sep } from 'node:path'
import { isLog } from '../../records/folders/log-names.ts'
import { entriesOf } from '../../system/files/list-files.ts'
import type { GitContext } from '../../system/git/run-git.ts'
import { listGitFiles } from './list-git-files.ts'

/** So many files are looked at: the last lines of a run say where there are more. */
const maxOthers = 50_000

interface Others {
  /** Relative to the root, with slashes. */
  readonly names: readonly string[]
  /** How many are looked at, where there are more. */
  readonly cap: number | undefined
}

/**
 * Files of a root that git does not track and does not ignore. Without git: all but those in `node_modules`, and logs.
 *
 * @throws MdtestError `HOST_GIT_FAILED` when there is a repository that git cannot list
 */
export async function listOthers(context: GitContext, isRepository: boolean): Promise<Others> {
  const all = isRepository
    ? ((await listGitFiles(['--others', '--exclude-standard'], context)) ?? [])
    : [...filesBelow(context.folder)]
  const names = all.filter((name) => !isLog(name))
  return { names: names.slice(0, maxOthers), cap: names.length > maxOthers ? maxOthers : undefined }
}

function* filesBelow(root: string): Generator<string> {
  const queue = [root]
  let count = 0
  for (let folder = queue.pop(); folder !== undefined; folder = queue.pop()) {
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name)
      if (entry.isDirectory() && entry.name !== 'node_modules') queue.push(path)
      if (!entry.isFile()) continue
      yield relative(root, path).replaceAll(sep, '/')
      if ((count += 1) > maxOthers) return
    }
  }
}
