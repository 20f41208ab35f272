import type { ActContext } from '../fix-context.ts'
import type { FinishedAct, RollBackReason } from '../history.ts'
import { newFailures, writtenWhileJudged } from '../judge-runs.ts'
import { undoneName } from '../undone-name.ts'

/** Undoes the open attempt. What it did is kept under a name of its own. */
export async function rollBack(reason: RollBackReason, context: ActContext): Promise<FinishedAct> {
  const { progress, checkpoints, onPoint, now } = context
  const attempt = progress.openAttempt
  if (attempt !== undefined) {
    onPoint('restore: before')
    await checkpoints.restore(attempt.checkpoint, undoneName(now()))
    onPoint('restore: after')
  }
  const judges = [...(attempt?.protectedChanges ?? []), ...writtenWhileJudged(progress)]
  return { kind: 'rolled-back', reason, names: [...(reason === 'protected-files' ? judges : newFailures(progress))] }
}
