import type { RunnerResults, TestCounts, FailingTest } from '../../runner.ts'

export type TestStatus = 'passed' | 'failed' | 'skipped'

/** What is told of a run whose results cannot be read. */
export const noResults: RunnerResults = { counts: null, failingTests: [] }

/** Counts of tests that ended so. */
export function countTests(statuses: readonly TestStatus[]): TestCounts {
  const count = (status: TestStatus): number => statuses.filter((each) => each === status).length
  return { total: statuses.length, passed: count('passed'), failed: count('failed'), skipped: count('skipped') }
}

/** The sum of counts, and their total where a runner does not tell it. */
export function addCounts(all: readonly Omit<TestCounts, 'total'>[]): TestCounts {
  const sum = (key: 'passed' | 'failed' | 'skipped'): number => all.reduce((total, each) => total + each[key], 0)
  const [passed, failed, skipped] = [sum('passed'), sum('failed'), sum('skipped')]
  return { total: passed + failed + skipped, passed, failed, skipped }
}

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
