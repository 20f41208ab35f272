import { expect, test } from 'vitest'
import type { AttemptMade, TestsRan } from '../../../../src/commands/fix/session/finished-acts.ts'
import {
  arePassesConfirmed,
  confirmedFailures,
  isWorse,
  newFailures,
  writtenWhileJudged,
  type Accepted,
} from '../../../../src/commands/fix/session/session-progress.ts'

function ran(failing: string, more: Partial<TestsRan> = {}): TestsRan {
  return {
    ...{ kind: 'tests-ran', purpose: 'after-attempt', total: 5, failing: failing.split(' ').filter(Boolean) },
    ...{ others: [], blocked: [], signature: '', resultsFile: '' },
    ...more,
  }
}

const accepted = (failing: string, others: string[] = []): Accepted => ({ ...ran(failing), others })
const openAttempt: AttemptMade = {
  ...{ kind: 'attempt-made', outcome: 'done', summary: '', checkpoint: 'c', changedFiles: [] },
  ...{ protectedChanges: [], contextUtilization: null },
}

test.each<readonly [string, readonly TestsRan[], boolean]>([
  ['no run', [], false],
  ['one pass', [ran('')], false],
  ['two passes', [ran('a'), ran(''), ran('')], true],
  ['a pass behind a failure', [ran('a'), ran('')], false],
  ['a failure behind a pass', [ran(''), ran('a')], false],
])('%s: all pass, surely: %#', (_, runs, expected) => {
  expect(arePassesConfirmed(runs)).toBe(expected)
})

test.each<readonly [string, readonly TestsRan[], Accepted | undefined, readonly string[] | undefined]>([
  ['no run', [], undefined, undefined],
  ['one failure', [ran('a')], undefined, undefined],
  ['the same twice', [ran('a'), ran('a')], undefined, ['a']],
  ['one that failed before the attempt', [ran('a')], accepted('a b'), ['a']],
  ['a flaky one that passes later', [ran('a b'), ran('a')], undefined, ['a']],
  ['another one each time', [ran('a'), ran('b')], undefined, undefined],
  ['another name each time', [ran('a 1'), ran('a 2', { renamed: ['2'] })], undefined, ['a', '2']],
  ['one outside of the scope that is new', [ran('', { others: ['x'] })], accepted('a'), undefined],
  ['one outside that failed before', [ran('', { others: ['x'] })], accepted('a', ['x']), []],
  ['a pass', [ran('')], undefined, []],
])('%s', (_, runs, before, expected) => {
  expect(confirmedFailures({ runs, accepted: before })).toEqual(expected)
})

test.each<readonly [string, readonly TestsRan[], boolean]>([
  ['a new failure, once', [ran('a b')], false],
  ['a new failure, twice', [ran('a b'), ran('a b')], true],
  ['one less', [ran('')], false],
  ['the same', [ran('a')], false],
  ['a test that is gone, once', [ran('', { lost: ['b'] })], false],
  ['a test that is gone, twice', [ran('', { lost: ['b'] }), ran('', { lost: ['b'] })], true],
  ['a new one outside of the scope', [ran('', { others: ['x'] }), ran('', { others: ['x'] })], true],
])('%s is worse: %#', (_, runs, expected) => {
  const judged = { runs, accepted: accepted('a'), openAttempt, ownWrites: [] }
  expect(isWorse(judged)).toBe(expected)
  expect(isWorse({ ...judged, openAttempt: undefined })).toBe(false)
  expect(isWorse({ ...judged, accepted: undefined })).toBe(false)
})

test('new failures are those of the last run that nobody knew', () => {
  expect(newFailures({ accepted: accepted('a', ['x']), runs: [ran('z'), ran('a b', { others: ['x', 'y'] })] })).toEqual(
    ['b', 'y'],
  )
  expect(newFailures({ accepted: undefined, runs: [ran('a')] })).toEqual([])
  expect(newFailures({ accepted: accepted('a'), runs: [] })).toEqual([])
})

test('names that differ from run to run are no new failures, up to their number before', () => {
  const before = { ...accepted('a 1 2'), renamed: ['1', '2'] }
  const after = (...renamed: string[]): readonly string[] =>
    newFailures({ accepted: before, runs: [ran('a'), ran(`a ${renamed.join(' ')}`, { renamed })] })
  expect(after('3', '4')).toEqual([])
  expect(after('3', '4', '5')).toEqual(['3', '4', '5'])
  expect(newFailures({ accepted: before, runs: [ran('a b')] })).toEqual(['b'])
  expect(newFailures({ accepted: accepted('a'), runs: [ran('a 1', { renamed: ['1'] })] })).toEqual(['1'])
})

test('judges that were written to count for an attempt, but for those that the tests always write to', () => {
  const runs = [ran('', { written: ['a.snap', 'b.test.ts'] }), ran('', { written: ['b.test.ts'] }), ran('')]
  expect(writtenWhileJudged({ runs, openAttempt, ownWrites: ['a.snap'] })).toEqual(['b.test.ts'])
  expect(writtenWhileJudged({ runs, openAttempt: undefined, ownWrites: [] })).toEqual([])
})
