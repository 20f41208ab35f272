import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { messageOf } from '../error-facts.ts'
import { runProgram } from '../process/run-program.ts'
import { MdtestError } from '../mdtest-error.ts'
import { withoutUndefined } from '../without-undefined.ts'

type Environment = Readonly<Record<string, string | undefined>>

export interface GitContext {
  readonly folder: string
  readonly env: Environment
  readonly signal?: AbortSignal
}

interface GitInput {
  readonly stdin?: string | Buffer
  /** `GIT_…` variables for this call. `GIT_…` variables of the caller's environment never reach git. */
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

/** @throws GitFailure; its cause is the system error if git could not be started */
export async function runGit(
  args: readonly string[],
  { folder, env, signal }: GitContext,
  { stdin, variables = {}, timeoutMs }: GitInput = {},
): Promise<Buffer> {
  // Inside a git hook, `GIT_DIR` and others point to another repository.
  const kept = Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('GIT_')))
  const { stdout, stderr, failure } = await runProgram(['git', ...safeSettings, ...args], {
    cwd: folder,
    env: { ...kept, LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0', GIT_NO_REPLACE_OBJECTS: '1', ...variables },
    ...withoutUndefined({ stdin, signal, timeoutMs }),
  })
  if (failure === undefined) return stdout
  throw new GitFailure(stderr.toString().trim() || failure.message, { cause: failure.cause })
}

/** Runs git in one folder and returns its standard output. `index`: path of an index to use instead of the user's. */
export type Git = (args: readonly string[], more?: { stdin?: string | Buffer; index?: string }) => Promise<Buffer>

export interface GitPlace {
  readonly gitDir: string
  /** In a linked work tree, the git folder of the main repository. Elsewhere the same as `gitDir`. */
  readonly commonDir: string
  readonly workTree: string
}

export function createGit(folder: string, env: Environment, place?: GitPlace): Git {
  return async (args, { stdin, index } = {}) => {
    const variables = { ...(place && sealedEnvironment(place)), ...(index !== undefined && { GIT_INDEX_FILE: index }) }
    try {
      return await runGit(args, { folder, env }, withoutUndefined({ variables, stdin }))
    } catch (error: unknown) {
      const message = `\`git ${args[0]}\` failed in \`${folder}\` (${messageOf(error)}).`
      throw new MdtestError('EXEC_GIT_FAILED', message, {
        hint: 'Make `git status` work there and all files that are not ignored readable: nothing is changed without a checkpoint.',
      })
    }
  }
}

export async function succeeds(git: Git, ...args: string[]): Promise<boolean> {
  return (await git(args).catch(() => undefined)) !== undefined
}

export async function askGit(git: Git, ...args: string[]): Promise<string> {
  return (await git(args)).toString().replace(/\n$/, '')
}

export async function isInWorkTree(git: Git): Promise<boolean> {
  return (await askGit(git, 'rev-parse', '--is-inside-work-tree').catch(() => '')) === 'true'
}

/** Call this before an agent runs, because an agent could redirect git. Without a repository, creates one in `own`. */
export async function findPlace(root: string, own: string, env: Environment): Promise<GitPlace & { isOwn: boolean }> {
  const git = createGit(root, env)
  if (existsSync(join(own, 'HEAD')) || !(await isInWorkTree(git))) {
    await git(['init', '--quiet', '--bare', '--template=', own])
    return { gitDir: own, commonDir: own, workTree: root, isOwn: true }
  }
  return {
    gitDir: await askGit(git, 'rev-parse', '--absolute-git-dir'),
    workTree: await askGit(git, 'rev-parse', '--show-toplevel'),
    commonDir: resolve(root, await askGit(git, 'rev-parse', '--git-common-dir')),
    isOwn: false,
  }
}

/** With these variables git fetches nothing, and reads only the settings of the repository, not the user's. */
function sealedEnvironment({ gitDir, commonDir, workTree }: GitPlace): Readonly<Record<string, string>> {
  return {
    GIT_COMMITTER_NAME: 'mdtest',
    GIT_COMMITTER_EMAIL: 'mdtest@localhost',
    GIT_DIR: gitDir,
    GIT_WORK_TREE: workTree,
    ...(commonDir !== gitDir && { GIT_COMMON_DIR: commonDir }),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: '',
  }
}
