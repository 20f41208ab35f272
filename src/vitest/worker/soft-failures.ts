import type { RunnerTestCase, TestError } from 'vitest'

/** Soft assertions record their errors in a test. */
export interface SoftFailures {
  /** Those since it was opened; the test is as it was before. */
  take(): readonly TestError[]
}

/**
 * Finds what soft assertions of a block record. Reported by Vitest itself, they would hold secrets, and the verdict of the
 * step would say that it passed.
 *
 * @param over aborted when nobody waits for the block any more
 */
export function openSoftFailures(test: RunnerTestCase | undefined, over: AbortSignal): SoftFailures {
  const before = test?.result && { ...test.result, errors: test.result.errors?.slice() }
  const take = (): readonly TestError[] => {
    const { result } = test ?? {}
    const errors = result?.errors?.slice(before?.errors?.length ?? 0) ?? []
    if (!test || !result || errors.length === 0) return []
    if (!before) delete test.result
    else Object.assign(result, before)
    return errors
  }
  // Of a block that took too long this alone is told.
  over.addEventListener('abort', take, { once: true })
  return {
    take() {
      over.removeEventListener('abort', take)
      return over.aborted ? [] : take()
    },
  }
}
