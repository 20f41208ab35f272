/** A limit that is over after a while; `using` lifts it. */
export interface TimeLimit extends Disposable {
  /** Aborted with a `TimeoutError` when the time is over, and with the reason of another signal when that is aborted. */
  readonly signal: AbortSignal
}

/** Longest time of a timer, in milliseconds: a longer one is over at once. */
export const maxTimerMs = 2_147_483_647

/**
 * Limits what goes on by time, at most 24 days, and by other signals. It keeps no process alive. In place of
 * `AbortSignal.timeout`, which within `AbortSignal.any` may be collected before its time, and then is never aborted:
 * nodejs/node#57736.
 */
export function limitTime(limitMs: number, ...others: readonly AbortSignal[]): TimeLimit {
  const over = new AbortController()
  const end = (): void => over.abort(new DOMException(`It was not over after ${limitMs} ms.`, 'TimeoutError'))
  const timer = setTimeout(end, Math.min(limitMs, maxTimerMs))
  timer.unref()
  return {
    signal: others.length === 0 ? over.signal : AbortSignal.any([over.signal, ...others]),
    [Symbol.dispose]: () => clearTimeout(timer),
  }
}
