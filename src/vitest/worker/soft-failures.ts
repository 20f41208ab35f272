import type { RunnerTestCase, TestError } from 'vitest'

/** Soft assertions record their errors in a test. */
export interface SoftFailures {
  /** What to make `expect` for: the test, but for its result. */
  readonly test: RunnerTestCase
  /** Those recorded so far. */
  take(): readonly TestError[]
}

/**
 * Keeps what soft assertions of a block record apart from the test. Reported by Vitest itself, they would hold secrets, and
 * the verdict of the step would say that it passed. It holds for what a block records that nobody waits for any more, too.
 */
export function openSoftFailures(test: RunnerTestCase): SoftFailures {
  let result = test.result && { ...test.result, errors: [] }
  return {
    test: new Proxy(test, {
      get: (target, key) => (key === 'result' ? result : Reflect.get(target, key)),
      set(target, key, value) {
        if (key !== 'result') return Reflect.set(target, key, value)
        result = value
        return true
      },
    }),
    take: () => result?.errors ?? [],
  }
}
