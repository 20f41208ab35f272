import { setTimeout as sleep } from 'node:timers/promises'
import { MdtestError } from '../../../system/mdtest-error.ts'
import type { ActContext } from '../loop/fix-context.ts'
import { fixStateOf, exceededLimit } from '../loop/next-action.ts'
/** With the pauses of the command about a day: a weekly limit is nothing to sit out. */
const maxWaits = 290

/**
 * Waits until a provider may answer again, no longer than the session has. Whether no limit of the session was reached.
 *
 * @param times how often it has asked for that in a row, from 1
 * @throws {MdtestError} `AGENT_LIMITED` once it has asked for that some hundred times.
 */
export async function waitForProvider(times: number, context: ActContext): Promise<boolean> {
  const { waitMs, current, progress, signal, say } = context
  if (times > maxWaits) {
    throw new MdtestError(
      'AGENT_LIMITED',
      `The agent's provider asked ${maxWaits} times in a row to come back later.`,
      {
        hint: 'Go on with `--resume` when its limit is over.',
      },
    )
  }
  const ms = Math.min(waitMs(times), leftMs(context))
  say(`  waits ${Math.ceil(ms / 1000)} s for the agent's provider`)
  // A timer may be a little early.
  await sleep(Math.ceil(ms) + 2, undefined, { signal }).catch(() => undefined)
  signal.throwIfAborted()
  return exceededLimit(fixStateOf(current()), progress) === undefined
}

/** What a session has left of its time, in milliseconds. */
export function leftMs({ current }: Pick<ActContext, 'current'>): number {
  const { settings, elapsed_ms: elapsedMs } = current()
  return settings.maxMinutes === null ? Infinity : Math.max(0, settings.maxMinutes * 60_000 - elapsedMs)
}
