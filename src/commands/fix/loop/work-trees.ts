import { randomBytes } from 'node:crypto'
import { lstat, mkdtemp, realpath, stat, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { openCheckpoints } from '../../attempt/checkpoints/checkpoints.ts'
import { createGit, isInWorkTree, type Git } from '../../attempt/git/git.ts'
import { groundAt } from '../../../system/files/ground.ts'
import { listFiles } from '../../../system/files/list-files.ts'
import { readFileIn } from '../../../system/files/read-file.ts'
import { MdtestError } from '../../../system/mdtest-error.ts'
import { slug } from './create-session.ts'
import { sessionFolder, sessionsDir } from '../session/session-store.ts'
import { removeIn, makeFolder, replaceFile } from '../../../system/files/write-file.ts'

/** A work tree of git beside the user's, on a branch of its own. */
export interface WorkTree {
  /** Absolute path of the project in it. */
  readonly root: string
  readonly branch: string
}

interface WorkTreeOptions {
  readonly root: string
  readonly feature: string
  readonly sessionId: string
  readonly env: Readonly<Record<string, string>>
}

/** What git ignores and tests need, where it is in the project. */
const linkedFolders = ['node_modules', '.venv', 'venv']

/**
 * Makes a work tree for a feature, from HEAD and what is not committed.
 *
 * @throws MdtestError `OPTION_FEATURES` where there is no commit
 */
export async function openWorkTree({ root, feature, sessionId, env }: WorkTreeOptions): Promise<WorkTree> {
  const git = createGit(root, env)
  await assertCommit(git, root)
  const branch = await freeBranch(git, `mdtest/fix/${slug(feature)}`)
  const folder = join(await realpath(await mkdtemp(join(tmpdir(), folderStart))), treeName)
  await git(['worktree', 'add', '--quiet', '-b', branch, folder, 'HEAD'])
  const prefix = text(await git(['rev-parse', '--show-prefix']))
  const treeRoot = join(folder, prefix)
  const checkpoints = {
    folder: join(sessionFolder(root, sessionId), 'checkpoints'),
    refPrefix: `refs/mdtest/${sessionId}`,
    env,
  }
  await (await openCheckpoints({ root, ...checkpoints })).take('before')
  await (await openCheckpoints({ root: treeRoot, ...checkpoints })).restore('before', 'head')
  await commit({ root: treeRoot, env, message: 'chore: work that was not committed' })
  for (const name of linkedFolders) {
    // It may be a link itself.
    const isThere = await stat(join(root, name)).catch(() => undefined)
    const isTracked = await lstat(join(treeRoot, name)).catch(() => undefined)
    if (isThere?.isDirectory() === true && isTracked === undefined)
      await symlink(join(root, name), join(treeRoot, name))
  }
  return { root: treeRoot, branch }
}

/** The branch of a work tree that was made before. */
export async function branchOf({ root, env }: Pick<WorkTreeOptions, 'root' | 'env'>): Promise<string> {
  return text(await createGit(root, env)(['rev-parse', '--abbrev-ref', 'HEAD']))
}

/** Commits what was done. Without `isOver` the work tree stays, to go on in it. */
export async function keepWork(
  { root, feature, sessionId, env }: WorkTreeOptions,
  { tree, isOver }: { readonly tree: WorkTree; readonly isOver: boolean },
): Promise<void> {
  await commit({ root: tree.root, env, message: `fix: ${feature}` })
  if (!isOver) return
  copyRuns(join(sessionsDir, sessionId, 'test-runs'), { from: tree.root, to: root })
  const folder = folderOf(tree.root)
  await createGit(root, env)(['worktree', 'remove', '--force', join(folder, treeName)])
  removeIn(groundAt(dirname(folder)), folder)
}

const folderStart = 'mdtest-fix-'
const treeName = 'tree'

/** The folder that was made for a work tree. Git is not asked: what it answers, an agent can have configured. */
function folderOf(treeRoot: string): string {
  for (let folder = treeRoot; folder !== dirname(folder); folder = dirname(folder)) {
    const parent = dirname(folder)
    if (basename(folder) === treeName && basename(parent).startsWith(folderStart)) return parent
  }
  throw new MdtestError('OPTION_SESSION', `\`${treeRoot}\` is no work tree of mdtest's.`, {
    hint: 'Remove it with `git worktree remove`, if nothing of it is needed any more.',
  })
}

const limits = { maxFiles: 10_000, maxBytes: 1024 * 1024 * 1024 }

/** Of files alone: what an agent has put there may lead anywhere. */
function copyRuns(runs: string, { from, to }: { readonly from: string; readonly to: string }): void {
  const [source, target] = [groundAt(from), groundAt(to)]
  for (const { path } of listFiles(source, join(from, runs), limits).files) {
    const read = readFileIn(source, path, limits.maxBytes)
    if (!read.ok) continue
    const file = join(to, relative(from, path))
    makeFolder(target, dirname(file))
    replaceFile(target, file, read.bytes)
  }
}

async function commit({
  root,
  env,
  message,
}: {
  readonly root: string
  readonly env: WorkTreeOptions['env']
  readonly message: string
}): Promise<void> {
  const git = createGit(root, env)
  await git(['add', '--all', '--', '.', ...(await ownNames(git)).map((name) => `:(exclude)${name}`)])
  const staged = text(await git(['diff', '--cached', '--name-only']))
  if (staged === '') return
  const hasIdentity = await git(['config', 'user.email']).catch(() => undefined)
  const identity = hasIdentity === undefined ? ['-c', 'user.name=mdtest', '-c', 'user.email=mdtest@localhost'] : []
  await git([...identity, '-c', 'commit.gpgSign=false', 'commit', '--quiet', '--no-verify', '-m', message])
}

/** Ours and what we linked, as far as git does not ignore them: it refuses to leave out by name what it ignores. */
async function ownNames(git: Git): Promise<readonly string[]> {
  const names = ['.mdtest', ...linkedFolders]
  const ignored = await Promise.all(
    names.map((name) =>
      git(['check-ignore', '--quiet', name]).then(
        () => true,
        () => false,
      ),
    ),
  )
  return names.filter((_, index) => !ignored[index])
}

async function assertCommit(git: Git, root: string): Promise<void> {
  const hasCommit =
    (await isInWorkTree(git)) &&
    (await git(['rev-parse', '--verify', 'HEAD']).then(
      () => true,
      () => false,
    ))
  if (hasCommit) return
  throw new MdtestError('OPTION_FEATURES', `Several features need work trees of git, and \`${root}\` has no commit.`, {
    hint: 'Commit something, or give one `--feature`.',
  })
}

async function freeBranch(git: Git, name: string): Promise<string> {
  const isTaken = await git(['rev-parse', '--verify', '--quiet', `refs/heads/${name}`]).then(
    () => true,
    () => false,
  )
  return isTaken ? `${name}-${randomBytes(3).toString('hex')}` : name
}

function text(output: Buffer): string {
  return output.toString().trim()
}
