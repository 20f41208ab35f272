import { runProgram } from '../process/run-program.ts'
import { withoutUndefined } from '../without-undefined.ts'

export interface GitContext {
  readonly folder: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signal?: AbortSignal
}

export interface GitInput {
  readonly stdin?: string | Buffer
  /** `GIT_…` variables for this call. `GIT_…` variables in `env` are dropped. */
  readonly variables?: Readonly<Record<string, string>>
  readonly timeoutMs?: number
}

export class GitFailure extends Error {
  override readonly name = 'GitFailure'
}

/** With these settings git runs no file monitor or hook of the repository, and accepts another user's checkout. */
const safeSettings = [
  ...['core.fsmonitor=false', 'core.untrackedCache=false', 'core.hooksPath=/dev/null', 'core.quotePath=false'],
  'safe.directory=*',
].flatMap((setting) => ['-c', setting])

/** Returns standard output. @throws GitFailure; its cause is the system error if git could not be started */
export async function runGit(
  args: readonly string[],
  { folder, env, signal }: GitContext,
  { stdin, variables = {}, timeoutMs }: GitInput = {},
): Promise<Buffer> {
  const { stdout, stderr, failure } = await runProgram(['git', ...safeSettings, ...args], {
    cwd: folder,
    env: { ...gitEnvironment(env), ...variables },
    ...withoutUndefined({ stdin, signal, timeoutMs }),
  })
  if (failure === undefined) return stdout
  throw new GitFailure(stderr.toString().trim() || failure.message, { cause: failure.cause })
}

/** Removes `GIT_…` variables: inside a git hook, `GIT_DIR` and others point to another repository. */
function gitEnvironment(env: GitContext['env']): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !name.startsWith('GIT_'))
  return { ...Object.fromEntries(kept), LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0', GIT_NO_REPLACE_OBJECTS: '1' }
}
