import type { RunningCode } from '../protocol/protocol.ts'

/** Reports code if the worker does not answer after the code's time limit. Returns a function that ends the watch. */
export function watchCode(
  worker: { ping(): Promise<void> },
  code: RunningCode,
  // `answerMs`: how long a live worker may take to answer a ping, and the pause between two pings.
  { onStuck, answerMs = 5_000 }: { onStuck(code: RunningCode): void; readonly answerMs?: number },
): () => void {
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  const wait = (limitMs: number, onOver: () => void): void => {
    clearTimeout(timer)
    if (!isOver) timer = setTimeout(onOver, limitMs).unref()
  }
  const end = (): void => {
    isOver = true
    clearTimeout(timer)
  }
  const ask = (): void => {
    wait(answerMs, () => {
      end()
      onStuck(code)
    })
    // If the ping fails, the worker is gone.
    worker.ping().then(() => wait(answerMs, ask), end)
  }
  wait(code.limitMs, ask)
  return end
}
