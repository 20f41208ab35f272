import { resolve } from 'node:path'
import { messageOf } from '../../../system/error-facts.ts'
import { runGit } from '../../../system/git/run-git.ts'
import { MdtestError } from '../../../system/mdtest-error.ts'

/** Asks git in one folder: its standard output. */
export type Git = (args: readonly string[], more?: GitInput) => Promise<Buffer>

export interface GitInput {
  readonly stdin?: string | Buffer
  /** Absolute path of an index that is not the user's. */
  readonly index?: string
}

/**
 * Where a repository is, found before anybody could lead us elsewhere: `.git` may be a file, and `core.worktree` another
 * folder.
 */
export interface GitPlace {
  readonly gitDir: string
  /** The same, but in a linked work tree that of the repository. */
  readonly commonDir: string
  readonly workTree: string
}

/**
 * @param folder absolute path
 * @param place where given, git looks for nothing itself, and reads no settings of the user or the machine
 * @throws MdtestError `EXEC_GIT_FAILED`, when called
 */
export function createGit(folder: string, env: Readonly<Record<string, string | undefined>>, place?: GitPlace): Git {
  return async (args, { stdin, index } = {}) => {
    const variables = { ...(place && sealedEnvironment(place)), ...(index !== undefined && { GIT_INDEX_FILE: index }) }
    try {
      return await runGit(args, { folder, env }, { variables, ...(stdin !== undefined && { stdin }) })
    } catch (error: unknown) {
      throw failed(args, folder, messageOf(error))
    }
  }
}

/** Whether a folder is in the work tree of a repository, and git is there to work with it. */
export async function isInWorkTree(git: Git): Promise<boolean> {
  const answer = await git(['rev-parse', '--is-inside-work-tree']).catch(() => undefined)
  return answer?.toString().trim() === 'true'
}

/**
 * @param folder that of `git`, absolute path
 * @throws MdtestError `EXEC_GIT_FAILED` outside of a work tree
 */
export async function findPlace(git: Git, folder: string): Promise<GitPlace> {
  const ask = async (question: string): Promise<string> =>
    (await git(['rev-parse', question])).toString().replace(/\n$/, '')
  return {
    gitDir: await ask('--absolute-git-dir'),
    workTree: await ask('--show-toplevel'),
    // It may be relative to the folder.
    commonDir: resolve(folder, await ask('--git-common-dir')),
  }
}

/** Nothing is fetched, and no settings count but those of the repository. */
function sealedEnvironment({ gitDir, commonDir, workTree }: GitPlace): Readonly<Record<string, string>> {
  const identity = { GIT_COMMITTER_NAME: 'mdtest', GIT_COMMITTER_EMAIL: 'mdtest@localhost' }
  return {
    ...identity,
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

function failed(args: readonly string[], folder: string, why: string): MdtestError {
  return new MdtestError('EXEC_GIT_FAILED', `\`git ${args[0]}\` failed in \`${folder}\` (${why}).`, {
    hint: 'Make `git status` work there and all files that are not ignored readable: nothing is changed without a checkpoint.',
  })
}
