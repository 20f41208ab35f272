import { realpath, lstat, mkdtemp, stat, symlink } from 'node:fs/promises'
import { isInside } from '../../system/files/paths.ts'
import { type SessionEnd, workOnSession } from './loop/work-on-session.ts'
import { relative, resolve, dirname, join } from 'node:path'
import { inspect } from 'node:util'
import { agentEnvironment } from '../../agents/agent-environment.ts'
import type { FixTools } from './loop/session-keeper.ts'
import { formatFixReport, type FixReport } from './session/fix-report.ts'
import { sessionFolder, SessionStore, readSessionState, sessionsDir } from './session/session-store.ts'
import { findGateConfig } from '../project-config/read-gate-config.ts'
import { MdtestError } from '../../system/mdtest-error.ts'
import { openRedactor } from '../../system/redaction/open-redactor.ts'
import { mcpSecrets } from '../../spec/front-matter/mcp-secrets.ts'
import { exitCodes, interruptedBy, SetUpError, type CliContext } from '../common/cli.ts'
import { withLiveTrees } from '../common/with-live-trees.ts'
import { findProject } from '../common/suite.ts'
import { fixSyntax, toFixFlags, type FixFlags } from './flags.ts'
import { command, type RunCommand } from '../common/define-command.ts'
import { plainJson, plainText } from '../../system/text/plain-text.ts'
import type { Writable } from 'node:stream'
import { progressOf } from './session/session-progress.ts'
import { isInScope } from './session/test-results.ts'
import { runSessionTests } from './acts/run-and-judge-tests.ts'
import { ownFile } from '../../system/mdtest-package.ts'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { openCheckpoints } from '../attempt/checkpoints/checkpoints.ts'
import { askGit, createGit, isInWorkTree, succeeds } from '../../system/git/git.ts'
import { createSession, defaultSettings, reopenSession, type SessionState, slug } from './session/session-state.ts'
import { Slots } from '../../system/slots-and-timers.ts'
import { groundAt } from '../../system/files/trusted-folder.ts'
import { listFiles } from '../../system/files/list-files.ts'
import { readFileIn } from '../../system/files/read-file.ts'
import { removeIn } from '../../system/files/remove-files.ts'
import { makeFolder, replaceFile } from '../../system/files/write-file.ts'

export const fix: RunCommand = async (args, cli) => {
  try {
    return await fixOrThrow(args, cli)
  } catch (error: unknown) {
    // All thrown errors have the same exit code. Unexpected errors are printed with their stack.
    const isKnown = error instanceof SetUpError || error instanceof MdtestError
    cli.stderr.write(`mdtest: ${plainText(isKnown ? error.message : inspect(error))}\n`)
    return exitCodes.fix.error
  }
}

const fixOrThrow = command(fixSyntax, async ({ paths: _paths, ...given }, cli) => {
  const { cwd, env, stdout, stderr, signal } = cli
  const asked = toFixFlags(given)
  const root = await findProject(asked.root, cwd)
  return await withLiveTrees(async (run) => {
    const { allow = [], mayChange = [], mcpServers = {} } = (await findGateConfig({ root })) ?? {}
    const { redactor } = openRedactor([env], { others: mcpSecrets(mcpServers) })
    const tools: FixTools = {
      ...{ ...run, env: agentEnvironment(env), redactor, allow, mcpServers, signal },
      now: () => new Date(),
      program: [process.execPath, ownFile('#bin')],
      waitMs: (times) => Math.min(5_000 * 2 ** times, 300_000),
      say: (line) => void stderr.write(`${plainText(redactor.redact(line))}\n`),
    }
    const settings = { ...asked.settings }
    if (settings.scope != null) settings.scope = await findScope(settings.scope, { root, cwd })
    // When a session is resumed, its `may_change` stays, unless `--may-change` is given.
    if (asked.resume === undefined || settings.may_change !== undefined)
      settings.may_change = [...mayChange, ...(settings.may_change ?? [])]
    const flags = { ...asked, settings }
    if (flags.testsOnly) return await printTests({ flags, root }, { tools, stdout })
    return concludeFix(await workOnFeatures(flags, root, tools), { flags, root, cli })
  })
})

function concludeFix(
  ends: readonly SessionEnd[],
  { flags, root, cli }: { flags: FixFlags; root: string; cli: CliContext },
): number {
  const reports: FixReport[] = []
  for (const end of ends) {
    if (!end.isInterrupted) reports.push(end.report)
    else cli.stderr.write(`mdtest: interrupted; go on with \`npx vitest-mdtest fix --resume ${end.sessionId}\`.\n`)
  }
  const printed = flags.features.length > 1 ? reports : reports[0]
  if (flags.json && printed !== undefined) cli.stdout.write(`${plainJson(JSON.stringify(printed, undefined, 2))}\n`)
  for (const report of flags.json ? [] : reports)
    cli.stdout.write(plainText(formatFixReport(report, relative(root, sessionFolder(root, report.session_id)))))
  if (reports.length < ends.length) return interruptedBy(cli.signal)
  // A worse result has a higher exit code.
  return Math.max(...reports.map(({ result }) => exitCodes.fix[result]))
}

async function printTests(
  { flags, root }: { flags: FixFlags; root: string },
  { tools, stdout }: { tools: FixTools; stdout: Writable },
): Promise<number> {
  const folder = sessionFolder(root, flags.resume ?? '')
  const state = await readSessionState(folder)
  const { runner } = progressOf(state.history)
  if (runner === undefined)
    throw new SetUpError('The session does not know yet how its tests run: go on with it first.')
  const ran = await runSessionTests(runner, { ...tools, state, store: new SessionStore(folder) })
  const { total, failing, summary_path: summaryPath } = ran.results
  const details = failing.map(({ key: _key, ...failure }) => failure)
  const keys = new Set([...failing, ...ran.results.others].map(({ name, file }) => `${file}\n${name}`))
  const passed = ran.results.executed?.filter(
    (test) => isInScope(test, state.settings.scope) && !keys.has(`${test.file}\n${test.name}`),
  )
  const told = { total, failed: failing.length, passed, details, summary_path: summaryPath }
  stdout.write(`${plainJson(JSON.stringify(told))}\n`)
  if (ran.failure !== undefined) return exitCodes.fix.error
  return exitCodes.fix[failing.length === 0 ? 'success' : 'incomplete']
}

/** Returns the scope relative to `root`. @throws {SetUpError} if the scope is missing or outside of `root` */
export async function findScope(scope: string, { root, cwd }: { root: string; cwd: string }): Promise<string> {
  if (scope.trim() === '') throw new SetUpError('`--scope` takes a file or folder, got nothing.')
  const found = await Promise.all([root, cwd].map((folder) => realpath(resolve(folder, scope)).catch(() => undefined)))
  const paths = found.filter((path) => path !== undefined)
  const inside = paths.find((path) => isInside(path, root))
  if (inside !== undefined) return relative(root, inside) || '.'
  const why = paths.length === 0 ? 'There is no' : `Outside of \`${root}\` is the`
  throw new SetUpError(`${why} file or folder \`${scope}\` that \`--scope\` names; it is relative to \`${root}\`.`)
}

async function workOnFeatures(flags: FixFlags, root: string, tools: FixTools): Promise<readonly SessionEnd[]> {
  const { features, resume, settings, maxAgents } = flags
  if (resume !== undefined) return [await goOn(resume, { flags, root, tools })]
  const { runMark, now } = tools
  const begin = (feature: string): SessionState =>
    createSession({ feature, settings: { ...defaultSettings, ...settings, root }, runMark, now: now() })
  const [only] = features
  if (only !== undefined && features.length === 1) return [await workOnSession({ state: begin(only), root }, tools)]
  const slots = new Slots(maxAgents)
  const works: TreeWork[] = []
  // Open the work trees one after the other, because git locks the repository that they share.
  for (const state of features.map(begin)) {
    const tree = await openWorkTree(state, root, tools)
    works.push({ state: { ...state, settings: { ...state.settings, root: tree.root } }, tree, root })
  }
  return await Promise.all(
    works.map(async (work) => {
      const release = await slots.take(new AbortController().signal)
      try {
        return await workInTree(work, tools)
      } finally {
        release()
      }
    }),
  )
}

interface WorkTree {
  readonly root: string
  readonly branch: string
}

interface TreeWork {
  readonly state: SessionState
  readonly tree: WorkTree
  readonly root: string
}

async function workInTree(work: TreeWork, tools: FixTools): Promise<SessionEnd> {
  const { state, tree, root } = work
  const say = (line: string): void => tools.say(`[${state.feature}] ${line}`)
  const end = await workOnSession({ state, root, branch: tree.branch }, { ...tools, say })
  // After an interruption, commit nothing: resuming the session undoes the unfinished act.
  if (!end.isInterrupted) await keepWork(work, end.report.result === 'success', tools.env)
  return end
}

async function goOn(
  id: string,
  { flags, root, tools }: { flags: FixFlags; root: string; tools: FixTools },
): Promise<SessionEnd> {
  const state = reopenSession(await readSessionState(sessionFolder(root, id)), flags.settings)
  const treeRoot = state.settings.root
  if (treeRoot === root) return await workOnSession({ state, root }, tools)
  if (!existsSync(treeRoot)) {
    throw new SetUpError(`The work tree \`${treeRoot}\` of the session is gone; its branch has the commits.`)
  }
  const branch = await askGit(createGit(treeRoot, tools.env), 'rev-parse', '--abbrev-ref', 'HEAD')
  return await workInTree({ state, tree: { root: treeRoot, branch }, root }, tools)
}

/** Folders that tests need but git ignores. Each work tree gets links to them. */
const linkedFolders = ['node_modules', '.venv', 'venv']
const folderStart = 'mdtest-fix-'
const treeName = 'tree'

/** Opens a work tree with HEAD and uncommitted changes. @throws MdtestError `OPTION_FEATURES` if there is no commit */
async function openWorkTree(state: SessionState, root: string, { env, trees }: FixTools): Promise<WorkTree> {
  const { feature, session_id: sessionId } = state
  const git = createGit(root, env)
  if (!(await isInWorkTree(git)) || !(await succeeds(git, 'rev-parse', '--verify', 'HEAD'))) {
    const message = `Several features need work trees of git, and \`${root}\` has no commit.`
    throw new MdtestError('OPTION_FEATURES', message, { hint: 'Commit something, or give one `--feature`.' })
  }
  const name = `mdtest/fix/${slug(feature)}`
  const isTaken = await succeeds(git, 'rev-parse', '--verify', '--quiet', `refs/heads/${name}`)
  const branch = isTaken ? `${name}-${randomBytes(3).toString('hex')}` : name
  const folder = join(await realpath(await mkdtemp(join(tmpdir(), folderStart))), treeName)
  await git(['worktree', 'add', '--quiet', '-b', branch, folder, 'HEAD'])
  const treeRoot = join(folder, await askGit(git, 'rev-parse', '--show-prefix'))
  const folderOfKept = join(sessionFolder(root, sessionId), 'checkpoints')
  const kept = { folder: folderOfKept, trees, refPrefix: `refs/mdtest/${sessionId}`, env }
  await (await openCheckpoints({ root, ...kept })).take('before')
  await (await openCheckpoints({ root: treeRoot, ...kept })).restore('before', 'head')
  await commit(treeRoot, 'chore: work that was not committed', env)
  for (const linked of linkedFolders) {
    // Use `stat`, because the folder may itself be a link.
    const isThere = await stat(join(root, linked)).catch(() => undefined)
    const isTracked = await lstat(join(treeRoot, linked)).catch(() => undefined)
    if (isThere?.isDirectory() === true && isTracked === undefined)
      await symlink(join(root, linked), join(treeRoot, linked))
  }
  return { root: treeRoot, branch }
}

/** Commits the work. Removes the work tree only if `isOver`, because a resumed session needs the tree. */
async function keepWork({ state, tree, root }: TreeWork, isOver: boolean, env: FixTools['env']): Promise<void> {
  await commit(tree.root, `fix: ${state.feature}`, env)
  if (!isOver) return
  copyRuns(join(sessionsDir, state.session_id, 'test-runs'), { from: tree.root, to: root })
  const folder = folderOf(tree.root)
  await createGit(root, env)(['worktree', 'remove', '--force', join(folder, treeName)])
  removeIn(groundAt(dirname(folder)), folder)
}

/** Finds the temporary folder in the path of a work tree. An agent could make git answer wrongly. */
function folderOf(treeRoot: string): string {
  const [folder] = new RegExp(`^.*/${folderStart}[^/]*(?=/${treeName}(?:/|$))`).exec(treeRoot) ?? []
  if (folder !== undefined) return folder
  throw new MdtestError('OPTION_SESSION', `\`${treeRoot}\` is no work tree of mdtest's.`, {
    hint: 'Remove it with `git worktree remove`, if you no longer need anything in it.',
  })
}

const limits = { maxFiles: 10_000, maxBytes: 1024 * 1024 * 1024 }

/** Copies only regular files, because an agent's links may lead anywhere. */
function copyRuns(runs: string, { from, to }: { from: string; to: string }): void {
  const [source, target] = [groundAt(from), groundAt(to)]
  for (const { path } of listFiles(source, join(from, runs), limits).files) {
    const read = readFileIn(source, path, limits.maxBytes)
    if (!read.ok) continue
    const file = join(to, relative(from, path))
    makeFolder(target, dirname(file))
    replaceFile(target, file, read.bytes)
  }
}

async function commit(root: string, message: string, env: FixTools['env']): Promise<void> {
  const git = createGit(root, env)
  // Do not commit `.mdtest` and linked folders. Git rejects ignored paths in `:(exclude)`, so leave those out.
  const left: string[] = []
  for (const name of ['.mdtest', ...linkedFolders])
    if (!(await succeeds(git, 'check-ignore', '--quiet', name))) left.push(`:(exclude)${name}`)
  await git(['add', '--all', '--', '.', ...left])
  if ((await askGit(git, 'diff', '--cached', '--name-only')) === '') return
  const hasIdentity = await succeeds(git, 'config', 'user.email')
  const identity = hasIdentity ? [] : ['-c', 'user.name=mdtest', '-c', 'user.email=mdtest@localhost']
  await git([...identity, '-c', 'commit.gpgSign=false', 'commit', '--quiet', '--no-verify', '-m', message])
}
