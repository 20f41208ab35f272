import type { RunningCode } from '../protocol/protocol.ts'

/** Finds code after whose time limit the worker does not answer. Gives a function that ends the watch. */
export function watchCode(
  worker: { ping(): Promise<void> },
  code: RunningCode,
  // Longest time in which a worker that is alive answers, and the time between two questions.
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
    // A worker that cannot be asked is gone.
    worker.ping().then(() => wait(answerMs, ask), end)
  }
  wait(code.limitMs, ask)
  return end
}
