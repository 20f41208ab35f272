import { MdtestError } from '../system/mdtest-error.ts'

/** Longest end of a scenario after its test was canceled, in milliseconds: an agent's 5 s, a tear-down's 10 s, and more. */
export const endingTimeoutMs = 30_000

const tickMs = 1_000

/** What has to end in time. */
interface Undertaking {
  /** In milliseconds, without the time in which it waits for its turn. */
  readonly limitMs: number
  isWaiting(): boolean
}

/**
 * Bounds what Vitest's own time limit cannot: that one would count the time in which a scenario waits for others.
 *
 * @param work gets a signal that is aborted when the time is over, and then has 30 s to end
 * @throws {MdtestError} `HOST_TIMEOUT` when it does not.
 */
export async function withinDeadline<T>(
  { limitMs, isWaiting }: Undertaking,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const over = new AbortController()
  let leftMs = limitMs
  let timer: NodeJS.Timeout | undefined
  const expired = new Promise<never>((_resolve, reject) => {
    timer = setInterval(() => {
      if (!isWaiting()) leftMs -= tickMs
      if (leftMs <= 0) over.abort()
      if (leftMs <= -endingTimeoutMs) reject(notEnded(limitMs))
    }, tickMs)
    // A worker whose main process is gone has nothing to wait for.
    timer.unref()
  })
  try {
    return await Promise.race([work(over.signal), expired])
  } finally {
    clearInterval(timer)
  }
}

function notEnded(limitMs: number): MdtestError {
  return new MdtestError(
    'HOST_TIMEOUT',
    `The scenario did not end within ${limitMs} ms, the sum of all its limits, nor when it was canceled.`,
  )
}
