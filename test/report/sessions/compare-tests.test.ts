import { expect, test } from 'vitest'
import type { TestsRan } from '../../../src/commands/fix/session/history.ts'
import { noTestResults, type TestResults } from '../../../src/commands/fix/session/test-results.ts'
import { compareTests, failuresOf } from '../../../src/report/sessions/compare-tests.ts'

function results(...keys: string[]): TestResults {
  return { ...noTestResults, failing: keys.map((key) => ({ key, name: key, message: `${key} is wrong` })) }
}

const files: Readonly<Record<string, TestResults>> = {
  before: results('fixed', 'still', 'outside'),
  after: results('still', 'new', 'outside'),
}
const run = (failing: string[], others: string[], resultsFile: string): TestsRan => ({
  ...{ kind: 'tests-ran', purpose: 'after-attempt', total: 9, failing, others, blocked: [], signature: '' },
  resultsFile,
})
const before = { total: 9, failing: ['fixed', 'still'], others: ['outside'], signature: '', resultsFile: 'before' }

test('what an attempt made worse comes first, and each test is told with how it failed', () => {
  const after = run(['still', 'new'], ['outside'], 'after')
  const compared = compareTests({ before, after }, (file) => files[file])
  expect(compared.map(({ change, key }) => [change, key])).toEqual([
    ['new', 'new'],
    ['still', 'still'],
    ['still', 'outside'],
    ['fixed', 'fixed'],
  ])
  expect(compared.map(({ isOutside }) => isOutside)).toEqual([undefined, undefined, true, undefined])
  expect(compared[0]).not.toHaveProperty('before')
  expect(compared[0]?.after?.message).toBe('new is wrong')
  expect(compared[3]?.before?.message).toBe('fixed is wrong')
  expect(compared[3]).not.toHaveProperty('after')
})

test('without the files of results, and before the first run, the names are told', () => {
  const after = run(['a'], [], 'gone')
  expect(compareTests({ before: undefined, after }, () => undefined)).toEqual([
    { change: 'new', key: 'a', after: { key: 'a', name: 'a', message: '' } },
  ])
  expect(failuresOf([], undefined)).toEqual([])
})

test('of many tests only the first are told at length', () => {
  const names = Array.from({ length: 30 }, (_, index) => `t${String(index).padStart(2, '0')}`)
  const compared = compareTests({ before: undefined, after: run(names, [], 'many') }, () => results(...names))
  expect(compared).toHaveLength(30)
  expect(compared.map((each) => 'after' in each).lastIndexOf(true)).toBe(19)
  expect(failuresOf(names, results(...names)).filter(({ message }) => message !== '')).toHaveLength(20)
})
