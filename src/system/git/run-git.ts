import { spawn } from 'node:child_process'

/** Where and how git is asked. */
export interface GitContext {
  /** Absolute path of the folder it runs in. */
  readonly folder: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signal?: AbortSignal
}

export interface GitInput {
  readonly stdin?: string | Buffer
  /** Variables of git itself: those of `env` do not reach it. */
  readonly variables?: Readonly<Record<string, string>>
  /** Default: no limit. */
  readonly timeoutMs?: number
}

/** Git could not be started, was stopped, or has failed: the message is what it said itself. */
export class GitFailure extends Error {
  override readonly name = 'GitFailure'
}

/**
 * Nothing of the repository is started: no monitor of files, no hook that is told of a new ref. Bytes stay as they are.
 * Containers have the checkouts of other users.
 */
const safeSettings = [
  ...['core.fsmonitor=false', 'core.untrackedCache=false', 'core.hooksPath=/dev/null', 'core.quotePath=false'],
  'safe.directory=*',
].flatMap((setting) => ['-c', setting])

/**
 * Runs git and gives its standard output.
 *
 * @throws GitFailure with the error of the system as its cause where git could not be started
 */
export function runGit(
  args: readonly string[],
  { folder, env, signal }: GitContext,
  { stdin = '', variables = {}, timeoutMs }: GitInput = {},
): Promise<Buffer> {
  return new Promise((done, reject) => {
    const child = spawn('git', [...safeSettings, ...args], {
      cwd: folder,
      env: { ...gitEnvironment(env), ...variables },
      stdio: 'pipe',
      ...(signal !== undefined && { signal }),
      ...(timeoutMs !== undefined && { timeout: timeoutMs }),
    })
    const output: Buffer[] = []
    const errors: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => errors.push(chunk))
    child.stdin.on('error', () => undefined) // git has ended: its exit code says why
    child.on('error', (error) => reject(new GitFailure(error.message, { cause: error })))
    child.on('close', (code, signalName) => {
      if (code === 0) return done(Buffer.concat(output))
      const said = Buffer.concat(errors).toString().trim()
      const end = signalName === null ? `it ended with exit code ${code}` : `it was ended by ${signalName}`
      reject(new GitFailure(said === '' ? end : said))
    })
    child.stdin.end(stdin)
  })
}

/**
 * In a hook git sets `GIT_DIR` and others, which lead away from the folder. No object takes the place of another, and what
 * git says is in the language that we read.
 */
function gitEnvironment(env: GitContext['env']): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !name.startsWith('GIT_'))
  return { ...Object.fromEntries(kept), LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0', GIT_NO_REPLACE_OBJECTS: '1' }
}
