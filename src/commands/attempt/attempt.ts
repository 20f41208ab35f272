import { randomBytes } from 'node:crypto'
import { askAgent, type Answer, type Question } from '../../agents/ask-agent.ts'
import { makeFolder } from '../../system/files/write-file.ts'
import { createMark } from '../../system/process/trees/marks.ts'
import type { ProgramContext } from '../../system/process/run-command.ts'
import { hashInstalledJudges } from './changes/outside-git.ts'
import { specSources, type SuitesBefore } from './changes/spec-sources.ts'
import { judgeChanges, judgesWritten, type ChangesToJudge, type JudgedChanges } from './changes/judge-changes.ts'
import type { Checkpoints } from './checkpoints/checkpoints.ts'

export interface AttemptStart extends Pick<SuitesBefore, 'root' | 'suiteOptions'> {
  readonly checkpoints: Checkpoints
  readonly before: string
  readonly env: NodeJS.ProcessEnv
}

export interface AttemptRules extends Pick<
  ChangesToJudge,
  'commands' | 'judges' | 'failing' | 'mayChange' | 'protect' | 'allowTestEdits'
> {
  readonly after: string
  readonly undone: string
}

/** What became of an attempt. Where something is forbidden, nothing is undone yet: the files are as it left them. */
export interface AttemptResult extends JudgedChanges {
  readonly changed: readonly string[]
  /** What it moved in git, for example `HEAD`; all of it was put back. */
  readonly moves: readonly string[]
}

export interface Attempt {
  /**
   * Puts the repository back, sees on disk what has changed, and leaves of it what counts.
   *
   * @throws MdtestError `EXEC_RESTORE_FAILED` where the files cannot be put back, or what judges them is another one
   */
  end(rules: AttemptRules): Promise<AttemptResult>
}

/**
 * Begins an attempt of an agent at what is red, for `gate` and `fix`: looks at what specs are made of, and at what judges it
 * and git does not keep. Nothing that the agent says of its work decides.
 */
export async function beginAttempt({ checkpoints, before, root, env, suiteOptions }: AttemptStart): Promise<Attempt> {
  const files = (await checkpoints.files(before)).map(({ path }) => path)
  const installed = await hashInstalledJudges(root, files)
  const specs = await specSources({ root, files, suiteOptions })
  return {
    async end({ after, undone, ...rules }) {
      const git = await checkpoints.restoreGit(before, undone)
      await checkpoints.take(after)
      const changed = await checkpoints.changes(before, after)
      const judges = [...rules.judges, ...specs]
      const known = { checkpoints, before, after, git, installed, root, env, judges }
      const judged = await judgeChanges(changed, { ...rules, ...known })
      return { ...judged, changed, moves: git.moves }
    },
  }
}

/** What judges a project ran, while its files were watched. */
export interface WatchedRun<Result> {
  readonly result: Result
  readonly written: () => Promise<readonly string[]>
}

/** Runs gates or tests, for `gate` and `fix`. What passes because a test was changed meanwhile has not passed. */
export async function runWatched<Result>(
  checkpoints: Pick<Checkpoints, 'watch'>,
  run: () => Promise<Result>,
): Promise<WatchedRun<Result>> {
  const writesSince = await checkpoints.watch()
  return { result: await run(), written: async () => judgesWritten(await writesSince()) }
}

/** Puts the repository and the files back to a checkpoint. What was there is kept under the name `undone`. */
export async function undoTo(
  checkpoint: string,
  { checkpoints, undone }: { readonly checkpoints: Checkpoints; readonly undone: string },
): Promise<void> {
  await checkpoints.restoreGit(checkpoint, undone)
  await checkpoints.restore(checkpoint, undone)
}

/** A name that no other checkpoint has: what is undone is never lost. */
export function undoneName(now: Date): string {
  return `undone-${now.toISOString().replaceAll(/[^\dTZ]/g, '')}-${randomBytes(3).toString('hex')}`
}

export interface AskContext extends ProgramContext, Pick<Question, 'folder' | 'ground'> {
  readonly root: string
  readonly signal: AbortSignal
}

export type ProjectQuestion = Pick<
  Question,
  | 'agent'
  | 'prompt'
  | 'schema'
  | 'sessionId'
  | 'allow'
  | 'mcpServers'
  | 'dangerouslyAllowAllActions'
  | 'maxCostUsd'
  | 'hardTimeoutMs'
  | 'silenceTimeoutMs'
>

/** Asks an agent once, in the project itself and without network. Its folder is made. */
export async function askInProject(question: ProjectQuestion, context: AskContext): Promise<Answer> {
  const { root, env, folder, ground, redactor, trees, runMark, signal } = context
  makeFolder(ground, folder)
  return await askAgent({
    ...question,
    ...{ cwd: root, env, network: false, folder, ground, redactor, runMark, signal },
    privateFolder: trees.makeTempDir(),
    launcher: await trees.launcher(),
    mark: createMark(),
  })
}
