import { expect, test } from 'vitest'
import { vanishedTests } from '../../src/fix/vanished-tests.ts'

const file = 'src/sum.test.ts'
const red = { name: 'sum > adds', file }

test.each([
  ['it passed', [red], []],
  ['it fails', [], [red]],
  ['tests within it passed', [{ name: 'sum > adds > ones', file }], []],
  ['a runner tells no file of what passed', [{ name: 'sum > adds' }], []],
] as const)('a test is there when %s', (_why, passed, failing) => {
  expect(vanishedTests([red], { passed, failing })).toEqual([])
})

test('a test that neither passed nor failed is gone, whatever passed elsewhere', () => {
  const passed = [
    { name: 'sum > adds', file: 'src/more.test.ts' },
    { name: 'sum', file },
  ]
  expect(vanishedTests([red], { passed, failing: [] })).toEqual([red])
  expect(vanishedTests([{ name: 'TestAdd', file: 'calc/calc_test.go' }], { passed: [], failing: [] })).toHaveLength(1)
})

test.each([
  { name: 'src/sum.test.ts', file: 'src/sum.test.ts' },
  { name: 'tests.test_sum', file: 'tests/test_sum.py' },
  { name: 'example.org/calc', file: 'calc/calc.go' },
  { name: 'example.org/calc' },
  { name: '(the run of the tests)' },
])('what stood for more than one test is not asked for: $name', (whole) => {
  expect(vanishedTests([whole], { passed: [], failing: [] })).toEqual([])
})
