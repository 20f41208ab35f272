import type { RunnerTestCase } from 'vitest'
import type { Outcome } from '../../records/outcome.ts'

/** Whether Vitest runs the test once more after this outcome. Under a condition of the user's nobody knows. */
export function isTriedAgain({ retry, result }: Pick<RunnerTestCase, 'retry' | 'result'>, outcome: Outcome): boolean {
  if (outcome === 'pass' || outcome === 'skipped') return false
  const { count = 0, condition } = typeof retry === 'object' ? retry : { count: retry }
  return condition === undefined && (result?.retryCount ?? 0) < count
}
