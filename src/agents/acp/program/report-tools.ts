import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { AcpTask } from '../acp-task.ts'
import { limitTime } from '../../../system/concurrency.ts'

/** How long an agent may take to ask mdtest's server for its tools at one of its two starts, in milliseconds. */
const listLimitMs = 30_000
/** From the list to the agent's own registry of tools, in milliseconds. Some of this time is over when the session is open. */
const settleMs = 300

const answerSchema = z.object({ agoMs: z.number() })

interface ProgramStart {
  /** On the clock of `performance`. An earlier program of the same task may have listed them, too. */
  readonly startedAtMs: number
  readonly signal: AbortSignal
}

/**
 * Waits until the agent has listed the tools of mdtest's server: a prompt before that finds none. `false` where it never
 * does; no agent says why.
 */
export async function hasListedTools(
  { url, token }: NonNullable<AcpTask['reports']>,
  { startedAtMs, signal }: ProgramStart,
): Promise<boolean> {
  using limit = limitTime(listLimitMs, signal)
  try {
    const withinMs = Math.ceil(performance.now() - startedAtMs)
    const answer = await fetch(new URL(`/listed?withinMs=${withinMs}`, url), {
      headers: { authorization: `Bearer ${token}` },
      signal: limit.signal,
    })
    const { agoMs } = answerSchema.parse(await answer.json())
    if (agoMs < settleMs) await sleep(settleMs - agoMs, undefined, { signal })
    return true
  } catch {
    return false // The time is over, or the run, or the scenario has ended.
  }
}
