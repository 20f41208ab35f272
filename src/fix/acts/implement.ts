import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { askRole, type RoleAnswer } from '../ask-role.ts'
import type { ActContext } from '../fix-context.ts'
import type { AttemptMade, FinishedAct } from '../history.ts'
import { implementerStatusSchema, type ImplementerStatus } from '../roles/implementer.ts'
import { acceptedResults } from './accepted-results.ts'
import { protectedIn } from './protected-in.ts'
import { putBackScript, scriptFile } from './test-script.ts'
import { promptFile } from './write-prompt.ts'

const statusFile = 'artifacts/implementer_status.json'

/** One attempt. What it changed is seen on disk, not in what it says. `checkpoint` was taken before it. */
export async function implement(checkpoint: string, context: ActContext): Promise<FinishedAct> {
  const { store, state, checkpoints, onPoint, progress } = context
  const { prompt } = z.object({ prompt: z.string() }).parse(await store.read(promptFile))
  const sessionId = state.agent_session_id ?? undefined
  const script = progress.runner === null ? await store.text(scriptFile) : undefined
  const answer = await askRole({ role: 'implementer', prompt, schema: implementerStatusSchema, sessionId }, context)
  context.signal.throwIfAborted()
  if (!answer.ok && answer.cause === 'auth') return { kind: 'broke', message: answer.reason }
  context.keepAgentSession(answer.sessionId ?? null)
  onPoint('second checkpoint: before')
  await checkpoints.take(`${checkpoint}-after`)
  onPoint('second checkpoint: after')
  const changedFiles = [...(await checkpoints.changes(checkpoint, `${checkpoint}-after`))]
  const { failing, others } = await acceptedResults(context)
  const isScriptChanged = script !== undefined && putBackScript(script, store)
  const found = [
    ...(isScriptChanged ? [scriptFile] : []),
    ...(await protectedIn(changedFiles, { checkpoint, failing: [...failing, ...others], script }, context)),
  ]
  const forbidden = state.settings.allow_test_edits ? [] : found
  const outcome = outcomeOf(answer, changedFiles)
  const attempt = progress.attempts + 1
  const status = {
    attempt,
    outcome,
    answer: answer.ok ? answer.value : null,
    reason: answer.ok ? null : answer.reason,
    seen_changed_files: changedFiles,
  }
  store.write(statusFile, status)
  store.write(`artifacts/attempts/${attempt}/implementer_status.json`, status)
  if (outcome === 'waiting') await wait(context)
  return {
    kind: 'attempt-made',
    outcome,
    summary: answer.ok ? answer.value.summary : `It broke off: ${answer.reason}`,
    checkpoint,
    changedFiles,
    protectedChanges: [...forbidden],
    contextUtilization: answer.contextUtilization,
  }
}

function outcomeOf(answer: RoleAnswer<ImplementerStatus>, changedFiles: readonly string[]): AttemptMade['outcome'] {
  const isWaiting = answer.ok ? answer.value.status === 'waiting' : isLimit(answer.reason)
  if (isWaiting && changedFiles.length === 0) return 'waiting'
  if (!answer.ok) return 'broke-off'
  return changedFiles.length === 0 ? 'no-change' : 'done'
}

/** A provider that asks to come back later. */
function isLimit(reason: string): boolean {
  return /\b(?:429|529)\b|rate.?limit|overloaded|usage limit|too many requests/i.test(reason)
}

async function wait({ waitMs, state, signal, say }: ActContext): Promise<void> {
  const before = state.history.findLastIndex((act) => act.kind === 'attempt-made' && act.outcome !== 'waiting')
  const times = 1 + state.history.slice(before + 1).filter(({ kind }) => kind === 'attempt-made').length
  const ms = waitMs(times)
  say(`waits ${Math.round(ms / 1000)} s for the agent's provider`)
  await sleep(ms, undefined, { signal }).catch(() => undefined) // the loop sees that it is over
  signal.throwIfAborted()
}
