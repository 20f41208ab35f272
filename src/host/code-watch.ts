import type { RunningCode } from './protocol.ts'

/** Longest time in which a worker that is alive answers, in milliseconds. */
const answerMs = 5_000

/** Watches the code of specs that one worker runs. */
export interface CodeWatch {
  started(code: RunningCode): void
  ended(id: string): void
  /** Forgets all code: the worker is gone. */
  close(): void
}

/**
 * Finds code that keeps its worker from everything else: after its time limit the worker does not answer.
 *
 * @param onStuck called at most once for each code
 */
export function openCodeWatch(worker: { ping(): Promise<void> }, onStuck: (code: RunningCode) => void): CodeWatch {
  const timers = new Map<string, NodeJS.Timeout>()
  const watch = (code: RunningCode, limitMs: number, onOver: () => void): void => {
    clearTimeout(timers.get(code.id))
    timers.set(code.id, setTimeout(onOver, Math.min(limitMs, 2 ** 31 - 1)).unref())
  }
  const forget = (id: string): void => {
    clearTimeout(timers.get(id))
    timers.delete(id)
  }
  return {
    started(code) {
      watch(code, code.limitMs, () => {
        watch(code, answerMs, () => {
          forget(code.id)
          onStuck(code)
        })
        // A worker that answers ends the code itself.
        const forgetIt = (): void => forget(code.id)
        worker.ping().then(forgetIt, forgetIt)
      })
    },
    ended: forget,
    close() {
      for (const id of [...timers.keys()]) forget(id)
    },
  }
}
