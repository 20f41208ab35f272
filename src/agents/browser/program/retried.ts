import { setTimeout as sleep } from 'node:timers/promises'
import { errorCause } from '../../error-cause.ts'
import { factsOf, type RequestFacts } from './request-facts.ts'
import { timeNow, type SharedPause } from './shared-pause.ts'

/** How long requests may be tried again. */
export interface RetryLimits {
  /** Milliseconds of `performance.now` after which no try may begin: the time of the scenario is over then. */
  readonly deadlineMs: number
  /** For all browsers of a run: what one is told to wait, all wait. */
  readonly pause: SharedPause
  /** Told now and then that it goes on, so that waiting is not taken for silence. */
  onWait(): void
}

interface RetryOptions extends RetryLimits {
  readonly signal: AbortSignal | undefined
}

/** Where the provider does not say how long to wait, in milliseconds. */
const usualWaitsMs = [2_000, 4_000, 8_000, 16_000]
/** Nobody listens at the address, or its name is not known: that seldom mends itself. */
const unreachedWaitsMs = [1_000, 2_000]
const signOfLifeMs = 5_000

/** Why it was not tried again, for the message. */
const givenUp = new WeakMap<object, GivenUp>()

/** What became of the tries of a request. */
export interface GivenUp {
  readonly tries: number
  /** What the provider asked to wait, which is longer than there is time. */
  readonly askedWaitMs?: number
}

/** What is known of the tries that an error has ended. */
export function triesBefore(error: unknown): GivenUp | undefined {
  return typeof error === 'object' && error !== null ? givenUp.get(error) : undefined
}

/**
 * Asks until there is an answer. Tries again after errors that pass: limits, overload, errors of the server, broken
 * connections. What the provider asks to wait is waited, as long as there is time; else a few waits that grow.
 * @throws the last error
 */
export async function retried<T>(ask: () => PromiseLike<T>, options: RetryOptions): Promise<T> {
  const { pause, deadlineMs, signal } = options
  for (let tries = 1; ; tries += 1) {
    await waitUntil(() => pause.endMs, options)
    try {
      return await ask()
    } catch (error: unknown) {
      signal?.throwIfAborted()
      const facts = factsOf(error)
      const waitMs = facts.retryAfterMs ?? waitsFor(facts)[tries - 1]
      const isTooLong = waitMs !== undefined && performance.now() + waitMs > deadlineMs
      if (!passes(facts) || waitMs === undefined || isTooLong) {
        const asked = isTooLong && facts.retryAfterMs !== undefined ? { askedWaitMs: waitMs } : {}
        if (typeof error === 'object' && error !== null) givenUp.set(error, { tries, ...asked })
        throw error
      }
      const endMs = timeNow() + waitMs
      if (facts.retryAfterMs !== undefined) pause.extendTo(endMs)
      await waitUntil(() => endMs, options)
    }
  }
}

function waitsFor({ isUnreached }: RequestFacts): readonly number[] {
  return isUnreached ? unreachedWaitsMs : usualWaitsMs
}

/** Whether the same request may be answered later. */
function passes({ status, text, isUnreached, isBroken }: RequestFacts): boolean {
  if (errorCause(text, status) !== 'other') return false
  if (isUnreached || isBroken) return true
  return status !== undefined && (status === 408 || status === 409 || status === 429 || status >= 500)
}

/** @param endMs milliseconds since 1970, which may grow meanwhile */
async function waitUntil(endMs: () => number, { onWait, signal }: RetryOptions): Promise<void> {
  for (let restMs = endMs() - timeNow(); restMs > 0; restMs = endMs() - timeNow()) {
    onWait()
    await sleep(Math.min(restMs, signOfLifeMs), undefined, signal ? { signal } : {})
  }
}
