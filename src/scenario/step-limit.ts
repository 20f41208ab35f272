import { MdtestError } from '../system/mdtest-error.ts'

/** The time that the directive `timeout` gives a step for its blocks and its agent together. */
export interface StepLimit {
  /** As written, in milliseconds. */
  readonly limitMs: number
  /** What is left of it, in milliseconds; 0 or less when it is over. */
  leftMs(): number
  /** Does not count the time that `work` takes. */
  without<T>(work: Promise<T>): Promise<T>
}

/** Starts the clock of a step; `undefined` for one that has no limit of its own. */
export function startStepLimit(limitMs: number | undefined): StepLimit | undefined {
  if (limitMs === undefined) return undefined
  let endMs = performance.now() + limitMs
  return {
    limitMs,
    leftMs: () => endMs - performance.now(),
    async without(work) {
      const startMs = performance.now()
      try {
        return await work
      } finally {
        endMs += performance.now() - startMs
      }
    },
  }
}

/** Rejects once the signal is aborted; never fulfilled. */
export function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const fail = (): void =>
      reject(new MdtestError('HOST_CANCELED', 'The run was canceled while the scenario waited for its turn.'))
    if (signal.aborted) fail()
    else signal.addEventListener('abort', fail, { once: true })
  })
}
