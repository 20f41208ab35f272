import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { MdtestError } from '../shared/mdtest-error.ts'

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
  { folder, env, signal }: GitContext,
): Promise<readonly string[] | undefined> {
  try {
    const { stdout } = await promisify(execFile)('git', [...safeSettings, 'ls-files', '-z', ...args], {
      cwd: folder,
      env: gitEnvironment(env),
      maxBuffer: maxOutputBytes,
      timeout: timeoutMs,
      ...(signal !== undefined && { signal }),
    })
    return [...new Set(stdout.split('\0').filter((path) => path !== ''))]
  } catch (error: unknown) {
    signal?.throwIfAborted()
    if (isAbsent(error)) return undefined
    throw new MdtestError('HOST_GIT_FAILED', `\`git ls-files\` failed in \`${folder}\` (${messageOf(error)}).`, {
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

/** In a hook git sets `GIT_DIR` and others, which lead away from the folder. The language is for `isAbsent`. */
function gitEnvironment(env: GitContext['env']): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !name.startsWith('GIT_'))
  return { ...Object.fromEntries(kept), LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0' }
}

function isAbsent(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return ('code' in error && error.code === 'ENOENT') || /not a git repository \(or any/i.test(messageOf(error))
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const text = 'stderr' in error && typeof error.stderr === 'string' ? error.stderr.trim() : ''
  return text === '' ? error.message : text
}
