import { randomBytes } from 'node:crypto'
import { hashInstalledJudges } from './changes/outside-git.ts'
import { specSources, type SuitesBefore } from './changes/spec-sources.ts'
import { judgeChanges, judgesWritten, type ChangesToJudge, type JudgedChanges } from './changes/judge-changes.ts'
import type { Checkpoints } from './checkpoints/checkpoints.ts'

/** What an attempt starts from. */
export interface AttemptStart extends Pick<SuitesBefore, 'root' | 'suiteOptions'> {
  readonly checkpoints: Checkpoints
  /** Name of the checkpoint before it, which is there. */
  readonly before: string
  readonly env: NodeJS.ProcessEnv
}

/** What the changes of an attempt are held against. */
export interface AttemptRules extends Pick<
  ChangesToJudge,
  'commands' | 'judges' | 'failing' | 'mayChange' | 'protect' | 'allowTestEdits'
> {
  /** Name of the checkpoint to take after it. */
  readonly after: string
  /** Name under which the repository is kept as it left it. */
  readonly undone: string
  /** Called at each point where a crash could come. Default: does nothing. */
  readonly onPoint?: (name: string) => void
}

/** What became of an attempt. Where something is forbidden, nothing is undone yet: the files are as it left them. */
export interface AttemptResult extends JudgedChanges {
  /** Paths of all changes, relative to the root. */
  readonly changed: readonly string[]
  /** What it moved in git, for example `HEAD`; all of it was put back. */
  readonly moves: readonly string[]
}

/** An attempt of an agent, which works between its begin and its end. */
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
    async end({ after, undone, onPoint = () => undefined, ...rules }) {
      const git = await checkpoints.restoreGit(before, undone)
      onPoint('second checkpoint: before')
      await checkpoints.take(after)
      onPoint('second checkpoint: after')
      const changed = await checkpoints.changes(before, after)
      const judges = [...rules.judges, ...specs]
      const known = { checkpoints, before, after, git, installed, root, env, judges }
      const judged = await judgeChanges(changed, { ...rules, ...known })
      onPoint('changes judged: after')
      return { ...judged, changed, moves: git.moves }
    },
  }
}

/** What judges a project ran, while its files were watched. */
export interface WatchedRun<Result> {
  readonly result: Result
  /**
   * Files that judge, relative to the root, to which was written meanwhile; none where an attempt may change tests.
   *
   * @param rules.ownWrites those to which the run writes by itself, as it did before any attempt; they are left out
   */
  written(rules?: {
    readonly allowTestEdits?: boolean
    readonly ownWrites?: readonly string[]
  }): Promise<readonly string[]>
}

/** Runs gates or tests, for `gate` and `fix`. What passes because a test was changed meanwhile has not passed. */
export async function runWatched<Result>(
  checkpoints: Pick<Checkpoints, 'watch'>,
  run: () => Promise<Result>,
): Promise<WatchedRun<Result>> {
  const writesSince = await checkpoints.watch()
  const result = await run()
  return {
    result,
    async written({ allowTestEdits = false, ownWrites = [] } = {}) {
      if (allowTestEdits) return []
      return judgesWritten(await writesSince()).filter((path) => !ownWrites.includes(path))
    },
  }
}

/** Puts the repository and the files back to a checkpoint. What was there is kept under the name `undone`. */
export async function undoTo(
  checkpoint: string,
  {
    checkpoints,
    undone,
  }: { readonly checkpoints: Pick<Checkpoints, 'restoreGit' | 'restore'>; readonly undone: string },
): Promise<void> {
  await checkpoints.restoreGit(checkpoint, undone)
  await checkpoints.restore(checkpoint, undone)
}

/** A name that no other checkpoint has: what is undone is never lost. */
export function undoneName(now: Date): string {
  return `undone-${now.toISOString().replaceAll(/[^\dTZ]/g, '')}-${randomBytes(3).toString('hex')}`
}
