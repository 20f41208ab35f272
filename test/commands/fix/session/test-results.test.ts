import { describe, expect, test } from 'vitest'
import { toTestResults, type TestResults } from '../../../../src/commands/fix/session/test-results.ts'
import type { FailingTest } from '../../../../src/test-runners/runner.ts'

function results(failingTests: readonly FailingTest[], scope: string | null = null): TestResults {
  return toTestResults({ total: 9, failingTests, isParsed: true, summaryPath: 'summary.json' }, scope)
}

test('tests of the same name in two files are two, and one that is told twice is one', () => {
  const a = { name: 'adds', file: 'a.test.ts', message: '' }
  const { failing } = results([a, { ...a, file: 'b.test.ts' }, a])
  expect(failing.map(({ key }) => key)).toEqual(['a.test.ts > adds', 'b.test.ts > adds'])
})

test('what is outside the scope is told apart, and what could not be tried has not failed', () => {
  const found = results(
    [
      { name: 'in', file: 'cart/in.test.ts', message: '' },
      { name: 'beside', file: 'cart-old/beside.test.ts', message: '' },
      { name: 'somewhere', message: '' },
      { name: 'spec', file: 'cart/a.test.md', message: 'blocked: no agent' },
    ],
    './cart/',
  )
  expect(found.failing.map(({ name }) => name)).toEqual(['in', 'somewhere'])
  expect(found.others.map(({ name }) => name)).toEqual(['beside'])
  expect(found.blocked).toEqual(['cart/a.test.md > spec'])
})

describe('a signature', () => {
  const signature = (message: string): string => results([{ name: 'a', message }]).signature
  test.for([
    ['connect ECONNREFUSED 127.0.0.1:4711', 'connect ECONNREFUSED 127.0.0.1:4712'],
    ['took 1.5 s, at 2026-01-02T03:04:05.678Z', 'took 20 s, at 2027-01-02T03:04:05.999Z'],
    ['no file /tmp/a-1/x', 'no file /tmp/a-2/x'],
    ['object at 0x7f00', 'object at 0x7f11'],
  ] as const)('is the same for %j and %j', ([one, other]) => {
    expect(signature(one)).toBe(signature(other))
  })
  test('is another for another value', () => {
    expect(signature('expected 5, got 4')).not.toBe(signature('expected 5, got 3'))
  })
})
