import { existsSync, lstatSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { MdtestError } from '../../system/mdtest-error.ts'
import { type GitContext, GitFailure, runGit } from '../../system/git/git.ts'
import { readStamp } from './file-state.ts'
import { errorCode, messageOf } from '../../system/error-facts.ts'

/** A git repository. mdtest finds it without git, because git follows the repository's own configuration. */
export interface Repository {
  readonly top: string
  /** Absolute path of the folder with git's index. In a linked work tree, this folder is outside of `top`. */
  readonly gitDir: string
}

export function findRepository(folder: string): Repository | undefined {
  for (let top = realpathSync(folder); ; top = dirname(top)) {
    const entry = join(top, '.git')
    const stats = lstatSync(entry, { throwIfNoEntry: false })
    if (stats?.isFile()) {
      const linked = /^gitdir: (.+?)\r?\n?$/.exec(readFileSync(entry, 'utf8'))?.[1] ?? '.git'
      return { top, gitDir: resolve(top, linked) }
    }
    if (stats !== undefined && existsSync(join(entry, 'HEAD'))) return { top, gitDir: entry }
    if (top === dirname(top)) return undefined
  }
}

export function indexStamp(repository: Repository | undefined): string | undefined {
  if (repository === undefined) return undefined
  return ['index', 'HEAD'].map((name) => readStamp(join(repository.gitDir, name)).stamp).join('\n')
}

/** Runs `git ls-files`; `undefined` without repository or git. @throws {MdtestError} if git fails */
export async function listGitFiles(
  args: readonly string[],
  context: GitContext,
): Promise<readonly string[] | undefined> {
  const stdout = await askRepository(['ls-files', '-z', ...args], context)
  return stdout === undefined ? undefined : [...new Set(stdout.split('\0').filter((path) => path !== ''))]
}

/** Files in the index or the last commit, with submodules. So `git rm --cached` cannot hide a file. */
export async function listTracked(context: GitContext): Promise<readonly string[] | undefined> {
  const [indexed, committed] = await Promise.all([
    listGitFiles(['--cached', '--recurse-submodules'], context),
    askRepository(['ls-tree', '-r', '-z', 'HEAD'], context).catch((error: unknown) => {
      if (/not a valid object name/i.test(messageOf(error))) return ''
      throw error
    }),
  ])
  if (indexed === undefined) return undefined
  const paths = new Set(indexed)
  for (const entry of (committed ?? '').split('\0')) {
    const [, type, path] = /^\d+ (\w+) \w+\t([^]+)$/.exec(entry) ?? []
    if (path === undefined) continue
    if (type === 'commit') for (const inner of await listSubmodule(path, { indexed, context })) paths.add(inner)
    else paths.add(path)
  }
  return [...paths]
}

async function listSubmodule(
  path: string,
  { indexed, context }: { readonly indexed: readonly string[]; readonly context: GitContext },
): Promise<readonly string[]> {
  const folder = join(context.folder, path)
  const isListed = indexed.some((file) => file === path || file.startsWith(`${path}/`))
  if (isListed || lstatSync(join(folder, '.git'), { throwIfNoEntry: false }) === undefined) return []
  return ((await listTracked({ ...context, folder })) ?? []).map((file) => `${path}/${file}`)
}

async function askRepository(args: readonly string[], context: GitContext): Promise<string | undefined> {
  const { folder, signal } = context
  try {
    const repository = findRepository(folder)
    if (repository === undefined) return undefined
    // Set both: an agent could change the configuration so that git looks at another folder (`core.worktree`).
    const variables = { GIT_DIR: repository.gitDir, GIT_WORK_TREE: repository.top }
    return (await runGit(args, context, { timeoutMs, variables })).toString()
  } catch (error: unknown) {
    signal?.throwIfAborted()
    if (isAbsent(error)) return undefined
    throw new MdtestError('HOST_GIT_FAILED', `\`git ${args[0]}\` failed in \`${folder}\` (${messageOf(error)}).`, {
      hint: 'Make `git status` work there, so that mdtest can see which files an agent changes.',
      cause: error,
    })
  }
}

/** Long, because git may wait for a network drive. */
const timeoutMs = 60_000

function isAbsent(error: unknown): boolean {
  const ofSystem = error instanceof GitFailure ? error.cause : error
  return errorCode(ofSystem) === 'ENOENT' || /not a git repository \(or any/i.test(messageOf(error))
}
