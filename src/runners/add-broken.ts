import { addCounts, countTests } from './count-tests.ts'
import type { FailingTest, RunnerResults } from './runner.ts'

/** Results with files that could not be compiled, each of which counts as a failed test. */
export function addBroken({ counts, failingTests }: RunnerResults, broken: readonly FailingTest[]): RunnerResults {
  if (broken.length === 0) return { counts, failingTests }
  const outside = countTests(broken.map(() => 'failed'))
  return { counts: addCounts(counts ? [counts, outside] : [outside]), failingTests: [...failingTests, ...broken] }
}
