import { execFile } from 'node:child_process'
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { MdtestError } from '../../system/mdtest-error.ts'
import { findRepository, type Repository } from './find-repository.ts'
import { errorCode } from '../../system/error-facts.ts'

/** Where and how git is asked. */
export interface GitContext {
  /** Absolute path of the folder whose files are listed. */
  readonly folder: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signal?: AbortSignal
}

/**
 * Runs `git ls-files -z` in a folder: paths relative to it, with slashes. `undefined` where there is no repository
 * or no git.
 *
 * @throws MdtestError `HOST_GIT_FAILED` when git is there but fails: taking that for "nothing is tracked" would
 *   switch off whatever relies on the list.
 */
export async function listGitFiles(
  args: readonly string[],
  context: GitContext,
): Promise<readonly string[] | undefined> {
  const stdout = await askGit(['ls-files', '-z', ...args], context)
  return stdout === undefined ? undefined : [...new Set(stdout.split('\0').filter((path) => path !== ''))]
}

/**
 * Lists what git tracks below a folder: what is in the index, and what the last commit has though somebody took it out
 * of the index. Of submodules what is in them.
 *
 * @throws MdtestError `HOST_GIT_FAILED` as `listGitFiles`.
 */
export async function listTracked(context: GitContext): Promise<readonly string[] | undefined> {
  const [indexed, committed] = await Promise.all([
    listGitFiles(['--cached', '--recurse-submodules'], context),
    askGit(['ls-tree', '-r', '-z', 'HEAD'], context).catch((error: unknown) => {
      // Nothing was committed yet.
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

/** A submodule that is not in the index any more, and so was not listed with it. */
async function listSubmodule(
  path: string,
  { indexed, context }: { readonly indexed: readonly string[]; readonly context: GitContext },
): Promise<readonly string[]> {
  const folder = join(context.folder, path)
  const isListed = indexed.some((file) => file === path || file.startsWith(`${path}/`))
  if (isListed || lstatSync(join(folder, '.git'), { throwIfNoEntry: false }) === undefined) return []
  return ((await listTracked({ ...context, folder })) ?? []).map((file) => `${path}/${file}`)
}

/** Runs git in a folder and gives what it prints; `undefined` where there is no repository or no git. */
export async function askGit(
  args: readonly string[],
  { folder, env, signal }: GitContext,
): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)('git', [...safeSettings, ...args], {
      cwd: folder,
      env: gitEnvironment(env, findRepository(folder)),
      maxBuffer: maxOutputBytes,
      timeout: timeoutMs,
      ...(signal !== undefined && { signal }),
    })
    return stdout
  } catch (error: unknown) {
    signal?.throwIfAborted()
    if (isAbsent(error)) return undefined
    throw new MdtestError('HOST_GIT_FAILED', `\`git ${args[0]}\` failed in \`${folder}\` (${messageOf(error)}).`, {
      hint: 'Make `git status` work there, so that mdtest can see which files an agent changes.',
      cause: error,
    })
  }
}

/**
 * Listing files must start no program of the repository (`core.fsmonitor`), and may do so in a checkout of another
 * user, as containers have them: only names are read.
 */
const safeSettings = ['-c', 'core.fsmonitor=false', '-c', 'safe.directory=*'] as const

/** In milliseconds: git may wait for a network drive. */
const timeoutMs = 60_000

const maxOutputBytes = 512 * 1024 * 1024

/**
 * In a hook git sets `GIT_DIR` and others, which lead away from the folder, and so may the repository's own settings. The
 * language is for `isAbsent`.
 */
function gitEnvironment(env: GitContext['env'], repository: Repository | undefined): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !name.startsWith('GIT_'))
  return {
    ...Object.fromEntries(kept),
    ...(repository && { GIT_DIR: repository.gitDir, GIT_WORK_TREE: repository.top }),
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_OPTIONAL_LOCKS: '0',
    LC_ALL: 'C',
  }
}

function isAbsent(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return errorCode(error) === 'ENOENT' || /not a git repository \(or any/i.test(messageOf(error))
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const text = 'stderr' in error && typeof error.stderr === 'string' ? error.stderr.trim() : ''
  return text === '' ? error.message : text
}
