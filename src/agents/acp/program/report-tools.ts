import { setTimeout as sleep } from 'node:timers/promises'
import type { AcpTask } from '../acp-task.ts'

/** How long an agent may take to ask mdtest's server for its tools at one of its two starts, in milliseconds. */
const listLimitMs = 30_000
/** From the list to the agent's own registry of tools, in milliseconds. */
const settleMs = 300

/**
 * Waits until the agent has listed the tools of mdtest's server: a prompt before that finds none. `false` where it never
 * does; no agent says why.
 */
export async function hasListedTools(
  { url, token }: NonNullable<AcpTask['reports']>,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const { status } = await fetch(new URL('/listed', url), {
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.any([signal, AbortSignal.timeout(listLimitMs)]),
    })
    if (status !== 204) return false
    await sleep(settleMs, undefined, { signal })
    return true
  } catch {
    return false // The time is over, or the run.
  }
}
