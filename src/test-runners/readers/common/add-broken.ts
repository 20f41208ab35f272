import { addCounts, countTests } from './count-tests.ts'
import type { FailingTest, RunnerResults } from '../../runner.ts'

/** Results with files that could not be compiled, each of which counts as a failed test. */
export function addBroken(results: RunnerResults, broken: readonly FailingTest[]): RunnerResults {
  if (broken.length === 0) return results
  const { counts, failingTests } = results
  const outside = countTests(broken.map(() => 'failed'))
  return {
    ...results,
    counts: addCounts(counts ? [counts, outside] : [outside]),
    failingTests: [...failingTests, ...broken],
  }
}
