import { expect, test } from 'vitest'
import type { TestCounts } from '../../../src/test-runners/runner.ts'
import { MdtestError } from '../../../src/system/mdtest-error.ts'
import { missingProgram, rateRun } from '../../../src/test-runners/run/test-run.ts'

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

test.for([
  ['npm error npx canceled due to missing packages and no YES option: ["vitest@4.1.12"]', 1, 'npm install -D vitest'],
  ['npm ERR! canceled due to missing packages and no YES option: ["@playwright/test@1"]', 1, '-D @playwright/test'],
  ['> vitest run\n\nsh: 1: vitest: not found\n', 127, 'npm install -D vitest'],
  ['bash: line 1: jest: command not found', 127, 'npm install -D jest'],
  ['make: go: No such file or directory\nmake: *** [Makefile:2: t] Error 127', 2, 'brew install go'],
  ['/usr/bin/python3: No module named pytest', 1, 'pip install pytest'],
  ['Could not start `cargo`: the program was not found.', null, 'or its folder is not in PATH'],
  ['user.txt: not found', 1, undefined],
  ['sh: 1: vitest: not found', 0, undefined],
] as const)('%j with exit code %j', ([printed, exitCode, told]) => {
  const expected: unknown = told === undefined ? undefined : expect.stringContaining(told)
  const error = new MdtestError('EXEC_NOT_FOUND', printed, { hint: 'Install it.' })
  const end = exitCode === null ? ({ reason: 'spawn-failed', error } as const) : ({ reason: 'exit', exitCode } as const)
  expect(missingProgram({ end, counts: null, printed, root: '/app' })).toEqual(expected)
  expect(missingProgram({ end, counts: counts(1, 0, 0), printed, root: '/app' })).toBeUndefined()
})
