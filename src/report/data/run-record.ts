import { runGit, type GitContext } from '../../system/git/git.ts'

export interface Revision {
  readonly commit: string
  readonly branch?: string
  readonly isModified?: true
}

export interface RunRecord {
  readonly name?: string
  readonly startedAt: string
  /** Absent if the run goes on or was killed. */
  readonly endedAt?: string
  /** Time in which tests ran, without the pauses of watch mode. Absent if results of several runs were merged. */
  readonly wallTimeMs?: number
  readonly revision?: Revision
  readonly specs: number
  readonly otherTests: { readonly pass: number; readonly fail: number; readonly skipped: number }
  readonly errors: readonly string[]
}

const timeoutMs = 5000

/** CI checks out a commit, not a branch. These variables name the branch; the first is for pull requests on GitHub. */
const branchVariables = ['GITHUB_HEAD_REF', 'GITHUB_REF_NAME', 'CI_COMMIT_REF_NAME']

export async function readRevision(context: GitContext): Promise<Revision | undefined> {
  const ask = async (...args: readonly string[]): Promise<string | undefined> =>
    (await runGit(args, context, { timeoutMs }).catch(() => undefined))?.toString().trim()
  const [commit, branch, changes] = await Promise.all([
    ask('rev-parse', '--verify', 'HEAD'),
    ask('symbolic-ref', '--short', 'HEAD'),
    ask('status', '--porcelain', '--untracked-files=no'),
  ])
  if (!commit) return undefined
  const named = branch ?? branchVariables.map((name) => context.env[name]).find(Boolean)
  return { commit, ...(named && { branch: named }), ...(changes && { isModified: true }) }
}
