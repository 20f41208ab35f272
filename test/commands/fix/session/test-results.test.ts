import { describe, expect, test } from 'vitest'
import {
  resultsOf,
  formatFailure,
  noTestResults,
  shortenFailure,
  toTestResults,
  type TestResults,
} from '../../../../src/commands/fix/session/test-results.ts'
import type { FailingTest } from '../../../../src/test-runners/runner.ts'

function results(failingTests: readonly FailingTest[], scope: string | null = null): TestResults {
  return toTestResults({ total: 9, named: failingTests, rest: [], summaryPath: 'summary.json' }, scope)
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

test('of the tests by name, those in the scope are counted', () => {
  const tests = ['cart/a.test.ts', 'cart/b.test.ts', 'other.test.ts'].map((file) => ({ name: 'adds', file }))
  const counted = (areAll: boolean, scope: string | null): number =>
    toTestResults({ total: 9, executed: { tests, areAll }, named: [], rest: [], summaryPath: '' }, scope).total
  expect([counted(true, 'cart'), counted(true, 'none'), counted(true, null), counted(false, 'cart')]).toEqual([
    2, 0, 9, 9,
  ])
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

test.each([
  ['pytest', { name: 'tests/test_a.py::test_b', file: 'tests/test_a.py' }, 'tests/test_a.py::test_b'],
  ['a test that is called like its folder', { name: 'summarizes', file: 'sum' }, 'sum > summarizes'],
  ['the same in another alphabet', { name: 'größer', file: 'gr' }, 'gr > größer'],
  ['a suite', { name: 'sum.test.ts', file: 'sum.test.ts' }, 'sum.test.ts'],
  ['no file', { name: 'adds' }, 'adds'],
  ['an empty path', { name: 'adds', file: '' }, 'adds'],
])('the key of %s', (_, test_, key) => {
  expect(results([{ ...test_, message: '' }]).failing.map((failure) => failure.key)).toEqual([key])
})

test.each([
  ['no scope', null, ['a', 'b', 'c']],
  ['the root', '.', ['a', 'b', 'c']],
  ['an empty one', '', ['a', 'b', 'c']],
  ['a file', './cart/a.go', ['a', 'b']],
  ['a folder', 'cart', ['a', 'b']],
  ['a folder with a slash', 'cart/', ['a', 'b']],
  ['another folder', 'car', []],
  ['what is above a package', 'shop/deep/er', ['c']],
])('%s', (_, scope, names) => {
  const failing = [
    { name: 'a', file: 'cart/a.go', message: '' },
    { name: 'b', file: 'cart', message: '' },
    { name: 'c', file: 'shop/deep', message: '' },
  ]
  expect(results(failing, scope).failing.map(({ name }) => name)).toEqual(names)
})

test('a failure is told with its place and values, and no more of it than can be read', () => {
  const failure = { key: 'a >\n b', name: 'b', file: 'a.ts', line: 3, message: 'x\ny', expected: '1', received: '' }
  expect(formatFailure(failure)).toBe('### a > b (a.ts:3)\n\n    x\n    y\n    expected: 1\n    received: ')
  expect(formatFailure({ key: 'b', name: 'b', message: '' })).toBe('### b\n\n    ')
  const long = shortenFailure({ ...failure, message: 'm'.repeat(2_001), expected: 'e'.repeat(2_000) })
  expect(long.message).toBe(`${'m'.repeat(2_000)} […]`)
  expect([long.expected?.length, long.received]).toEqual([2_000, ''])
})

test('results are those that were kept, and none before a run', () => {
  const stored = { ...noTestResults, total: 4 }
  const files: Readonly<Record<string, unknown>> = { 'results/2.json': stored, 'results/3.json': { total: -1 } }
  const store = { read: (file: string): unknown => files[file] }
  expect(resultsOf(undefined, store)).toEqual(noTestResults)
  expect(resultsOf({ resultsFile: 'results/2.json' }, store)).toEqual(stored)
  expect(() => resultsOf({ resultsFile: 'results/3.json' }, store)).toThrow('total')
})
