import { expect, test } from 'vitest'
import type { TestCounts } from '../../../src/test-runners/runner.ts'
import { rateRun } from '../../../src/test-runners/run/test-run.ts'

const pattern = { scope: 'pattern', target: 'adds' } as const // the type of `scope`
const counts = (passed: number, failed: number, skipped: number): TestCounts => ({
  total: passed + failed + skipped,
  passed,
  failed,
  skipped,
})
const broken = [{ name: 'a.test.ts', message: 'SyntaxError' }]

test.for([
  ['all passed', 0, counts(2, 0, 1), [], 'pass', null],
  ['one failed', 1, counts(1, 1, 0), [], 'fail', null],
  ['one failed, and the runner says 0', 0, counts(1, 1, 0), [], 'fail', null],
  ['one does not compile', 1, counts(0, 0, 0), broken, 'fail', null],
  ['all passed, and the runner says 1', 1, counts(2, 0, 0), [], 'fail', 'exit code 1'],
  ['there is none', 0, counts(0, 0, 0), [], 'error', 'No test matched adds'],
  ['all are skipped', 0, counts(0, 0, 3), [], 'error', 'No test matched adds: 3 skipped'],
  ['there is none, and the runner says so', 1, counts(0, 0, 0), [], 'error', 'No test matched adds'],
  ['no results', 0, null, [], 'error', 'left no results'],
  ['no results, and the runner failed', 2, null, [], 'error', 'exit code 2 and left no results'],
] as const)('%s', ([, exitCode, counted, failingTests, status, message]) => {
  const rating = rateRun({ reason: 'exit', exitCode }, { counts: counted, failingTests }, pattern)
  expect(rating).toEqual({ status, message: message === null ? null : expect.stringContaining(message) })
})

test.for([
  [{ reason: 'hard-timeout', limitMs: 5 }, 'timeout'],
  [{ reason: 'silence-timeout', limitMs: 5 }, 'no_output'],
  [{ reason: 'canceled' }, 'error'],
  [{ reason: 'signal', signal: 'SIGSEGV' }, 'error'],
] as const)('%j is no pass even where tests passed', ([end, status]) => {
  expect(rateRun(end, { counts: counts(3, 0, 0), failingTests: [] }, { scope: 'all' }).status).toBe(status)
})
