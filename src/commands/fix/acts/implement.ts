import { z } from 'zod'
import { askRole, type RoleAnswer } from './ask-role.ts'
import { beginAttempt, undoneName } from '../../attempt/attempt.ts'
import { suiteOptions } from '../../common/suite.ts'
import { findGateConfig } from '../../project-config/read-gate-config.ts'
import type { ActContext } from '../loop/fix-context.ts'
import type { AttemptMade, FinishedAct } from '../session/history.ts'
import { implementerAnswerSchema, type ImplementerStatus } from '../session/attempts.ts'
import { acceptedResults } from '../session/test-results.ts'
import { waitForProvider } from './wait-for-provider.ts'
import { putBackScript, scriptFile } from './test-script.ts'
import { promptFile } from './write-prompt.ts'

const statusFile = 'artifacts/implementer_status.json'

/** One attempt. What it changed is seen on disk, not in what it says. `checkpoint` was taken before it. */
export async function implement(checkpoint: string, context: ActContext): Promise<FinishedAct> {
  const { store, state, checkpoints, onPoint, progress, now } = context
  const { prompt } = z.object({ prompt: z.string() }).parse(await store.read(promptFile))
  const sessionId = state.agent_session_id ?? undefined
  const script = progress.runner === null ? await store.text(scriptFile) : undefined
  const { allowTestEdits, mayChange, root } = state.settings
  const { failing, others } = await acceptedResults(context)
  const begun = await beginAttempt({ checkpoints, before: checkpoint, root, env: context.env, suiteOptions })
  // Before the agent can change it.
  const protect = (await findGateConfig({ root }))?.protect ?? []
  const answer = await askRole({ role: 'implementer', prompt, schema: implementerAnswerSchema, sessionId }, context)
  context.signal.throwIfAborted()
  if (!answer.ok && isHopeless(answer)) return { kind: 'broke', message: answer.reason }
  context.keepAgentSession(answer.sessionId ?? null)
  const isScriptChanged = script !== undefined && putBackScript(script, store)
  const judged = await begun.end({
    ...{ after: `${checkpoint}-after`, undone: undoneName(now()), onPoint },
    ...{ mayChange, protect, allowTestEdits },
    commands: script === undefined ? [] : [script],
    judges: [],
    failing: [...failing, ...others],
  })
  const seenFiles = [...judged.changed]
  const forbidden = [...(isScriptChanged && !allowTestEdits ? [scriptFile] : []), ...judged.forbidden]
  if (!answer.ok && answer.cause === 'limit' && seenFiles.length === 0 && judged.moves.length === 0) {
    return { kind: 'waited', reason: answer.reason }
  }
  const outcome = outcomeOf(answer, seenFiles)
  // What is undone as a whole is told as a whole.
  const [changedFiles, leftOut] = forbidden.length > 0 ? [seenFiles, []] : [judged.used, judged.leftOut]
  const attempt = progress.attempts + 1
  const status = {
    attempt,
    outcome,
    answer: answer.ok ? answer.value : null,
    reason: answer.ok ? null : answer.reason,
    seen_changed_files: seenFiles,
  }
  store.write(statusFile, status)
  store.write(`artifacts/attempts/${attempt}/implementer_status.json`, status)
  if (outcome === 'waiting') await waitForProvider(timesWaited(context), context)
  return {
    kind: 'attempt-made',
    outcome,
    summary: answer.ok ? answer.value.summary : `It broke off: ${answer.reason}`,
    checkpoint,
    changedFiles: [...changedFiles],
    ...(leftOut.length > 0 && { leftOut: [...leftOut] }),
    protectedChanges: forbidden,
    contextUtilization: answer.contextUtilization,
  }
}

/** No login, or no money: another attempt would end the same. Our own limit is one that the loop knows. */
function isHopeless({ cause, reason }: { readonly cause: string; readonly reason: string }): boolean {
  return cause === 'auth' || (cause === 'budget' && !/max_budget/.test(reason))
}

function outcomeOf(answer: RoleAnswer<ImplementerStatus>, changedFiles: readonly string[]): AttemptMade['outcome'] {
  if (!answer.ok) return 'broke-off'
  if (changedFiles.length > 0) return 'done'
  return answer.value.status === 'waiting' ? 'waiting' : 'no-change'
}

/** An implementer's word is no proof: each time costs an attempt. */
function timesWaited({ state }: ActContext): number {
  const before = state.history.findLastIndex((act) => act.kind === 'attempt-made' && act.outcome !== 'waiting')
  return 1 + state.history.slice(before + 1).filter(({ kind }) => kind === 'attempt-made').length
}
