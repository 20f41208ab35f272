import type { ActContext } from '../loop/fix-context.ts'
import type { FinishedAct, RollBackReason } from '../session/history.ts'
import { newFailures, writtenWhileJudged } from '../session/judge-runs.ts'
import type { Progress } from '../session/progress.ts'
import { undoneName } from '../loop/undone-name.ts'

/** Undoes the open attempt. What it did is kept under a name of its own. */
export async function rollBack(reason: RollBackReason, context: ActContext): Promise<FinishedAct> {
  const { progress, checkpoints, onPoint, now } = context
  const attempt = progress.openAttempt
  if (attempt !== undefined) {
    onPoint('restore: before')
    await checkpoints.restore(attempt.checkpoint, undoneName(now()))
    onPoint('restore: after')
  }
  return { kind: 'rolled-back', reason, names: [...namesOf(reason, progress)] }
}

function namesOf(reason: RollBackReason, progress: Progress): readonly string[] {
  switch (reason) {
    case 'protected-files':
      return [...(progress.openAttempt?.protectedChanges ?? []), ...writtenWhileJudged(progress)]
    case 'made-worse':
      return newFailures(progress)
    case 'tests-lost':
      return progress.runs.at(-1)?.lost ?? []
    default:
      return reason satisfies never
  }
}
