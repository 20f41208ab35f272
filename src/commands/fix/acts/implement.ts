import { z } from 'zod'
import { beginAttempt, undoneName } from '../../attempt/attempt.ts'
import { findGateConfig } from '../../project-config/read-gate-config.ts'
import type { ActContext } from '../loop/session-keeper.ts'
import {
  implementerAnswerForm,
  implementerAnswerSchema,
  type AttemptMade,
  type FinishedAct,
  type ImplementerStatus,
} from '../session/finished-acts.ts'
import { resultsOf } from '../session/test-results.ts'
import { askRole, waitForProvider, type RoleAnswer } from './ask-role.ts'
import { putBackScript, scriptFile } from './configure-tests.ts'
import { promptFile } from './write-prompt.ts'

/** Lets the agent make one attempt. Its changes are found on disk, because its answer is not trusted. */
export async function implement(checkpoint: string, context: ActContext): Promise<FinishedAct> {
  const { store, state, checkpoints, progress } = context
  const { prompt } = z.object({ prompt: z.string() }).parse(store.read(promptFile))
  const sessionId = state.agent_session_id ?? undefined
  const script = progress.runner === null ? store.text(scriptFile) : undefined
  const { allow_test_edits: allowTestEdits, may_change: mayChange, root } = state.settings
  const { failing, others } = resultsOf(progress.accepted, store)
  const end = await beginAttempt({ checkpoints, before: checkpoint, root })
  // Read the configuration now, because the agent can change it.
  const protect = (await findGateConfig({ root }))?.protect ?? []
  const answer = await askRole({ role: 'implementer', prompt, schema: implementerAnswerSchema, sessionId }, context)
  context.signal.throwIfAborted()
  context.keeper.keepAgentSession(answer.sessionId ?? null)
  const isScriptChanged = script !== undefined && putBackScript(script, store)
  const judged = await end({
    ...{ after: `${checkpoint}-after`, undone: undoneName(context.now()), judges: [] },
    ...{ mayChange, protect, allowTestEdits },
    commands: script === undefined ? [] : [script],
    failing: [...failing, ...others],
  })
  const { changed } = judged
  // Even without a usable answer, changed files count as an attempt, because the tests judge the changes.
  if (!answer.ok && changed.length === 0 && judged.moves.length === 0) {
    if (isHopeless(answer)) return { kind: 'broke', message: answer.reason }
    if (answer.cause === 'limit') return { kind: 'waited', reason: answer.reason }
  }
  const forbidden = [...(isScriptChanged && !allowTestEdits ? [scriptFile] : []), ...judged.forbidden]
  const outcome = attemptOutcome(answer, changed)
  const attempt = context.progress.attempts + 1
  const told = answer.ok ? { answer: answer.value, reason: null } : { answer: null, reason: reasonOf(answer) }
  const status = { attempt, outcome, ...told, seen_changed_files: changed }
  context.store.write('artifacts/implementer_status.json', status)
  context.store.write(`artifacts/attempts/${attempt}/implementer_status.json`, status)
  if (outcome === 'waiting') await waitForProvider(timesWaited(context), context)
  const isUndone = forbidden.length > 0
  return {
    ...{ kind: 'attempt-made', outcome, checkpoint },
    summary: told.reason ?? told.answer.summary,
    changedFiles: [...(isUndone ? changed : judged.used)],
    ...(!isUndone && judged.leftOut.length > 0 && { leftOut: [...judged.leftOut] }),
    protectedChanges: forbidden,
    contextUtilization: answer.contextUtilization,
  }
}

function reasonOf({ cause, reason }: { cause: string; reason: string }): string {
  return cause === 'no-answer' || cause === 'invalid' ? `${reason} Print \`${implementerAnswerForm}\` last.` : reason
}

/** Whether the model cannot be asked, as without a login or money. The user's own limit `max_budget` does not count. */
function isHopeless({ cause, reason }: { cause: string; reason: string }): boolean {
  return cause === 'auth' || cause === 'unanswered' || (cause === 'budget' && !/max_budget/.test(reason))
}

function attemptOutcome(answer: RoleAnswer<ImplementerStatus>, changed: readonly string[]): AttemptMade['outcome'] {
  if (!answer.ok) return 'broke-off'
  if (changed.length > 0) return 'done'
  return answer.value.status === 'waiting' ? 'waiting' : 'no-change'
}

/** Number of attempts in a row that ended as `waiting`, including this one. */
function timesWaited({ state }: ActContext): number {
  const before = state.history.findLastIndex((act) => act.kind === 'attempt-made' && act.outcome !== 'waiting')
  return 1 + state.history.slice(before + 1).filter(({ kind }) => kind === 'attempt-made').length
}
