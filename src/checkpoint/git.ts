import { spawn } from 'node:child_process'
import { MdtestError } from '../shared/mdtest-error.ts'

/** Asks git in one folder: its standard output. */
export type Git = (args: readonly string[], more?: GitInput) => Promise<Buffer>

export interface GitInput {
  readonly stdin?: string | Buffer
  /** Absolute path of an index that is not the user's. */
  readonly index?: string
}

/**
 * Nothing of the repository is started: no monitor of files, no hook that is told of a new ref. Bytes stay as they are.
 * Containers have the checkouts of other users.
 */
const safeSettings = ['core.fsmonitor=false', 'core.hooksPath=/dev/null', 'core.quotePath=false', 'safe.directory=*']

/**
 * @param folder absolute path
 * @throws MdtestError `EXEC_GIT_FAILED`, when called
 */
export function createGit(folder: string, env: Readonly<Record<string, string | undefined>>): Git {
  return (args, { stdin = '', index } = {}) =>
    new Promise((resolve, reject) => {
      const child = spawn('git', [...safeSettings.flatMap((setting) => ['-c', setting]), ...args], {
        cwd: folder,
        env: { ...gitEnvironment(env), ...(index !== undefined && { GIT_INDEX_FILE: index }) },
        stdio: 'pipe',
      })
      const output: Buffer[] = []
      const errors: Buffer[] = []
      child.stdout.on('data', (chunk: Buffer) => output.push(chunk))
      child.stderr.on('data', (chunk: Buffer) => errors.push(chunk))
      child.stdin.on('error', () => undefined) // git has ended: its exit code says why
      child.on('error', (error) => reject(failed(args, folder, error.message)))
      child.on('close', (code) => {
        if (code === 0) resolve(Buffer.concat(output))
        else reject(failed(args, folder, Buffer.concat(errors).toString().trim()))
      })
      child.stdin.end(stdin)
    })
}

/** Whether a folder is in the work tree of a repository, and git is there to work with it. */
export async function isInWorkTree(git: Git): Promise<boolean> {
  const answer = await git(['rev-parse', '--is-inside-work-tree']).catch(() => undefined)
  return answer?.toString().trim() === 'true'
}

/** In a hook git sets `GIT_DIR` and others, which lead away from the folder. */
function gitEnvironment(env: Readonly<Record<string, string | undefined>>): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !name.startsWith('GIT_'))
  return { ...Object.fromEntries(kept), LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0' }
}

function failed(args: readonly string[], folder: string, why: string): MdtestError {
  return new MdtestError('EXEC_GIT_FAILED', `\`git ${args[0]}\` failed in \`${folder}\` (${why}).`, {
    hint: 'Make `git status` work there and all files that are not ignored readable: nothing is changed without a checkpoint.',
  })
}
