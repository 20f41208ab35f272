import { expect, test } from 'vitest'
import { attemptsOf, type FinishedAct } from '../../../../src/commands/fix/session/finished-acts.ts'

const made = (outcome: 'done' | 'waiting', summary: string): FinishedAct => ({
  kind: 'attempt-made',
  outcome,
  summary,
  checkpoint: 'attempt-1',
  changedFiles: [],
  protectedChanges: [],
  contextUtilization: null,
})
const ran = (failing: readonly string[]): FinishedAct => ({
  kind: 'tests-ran',
  purpose: 'after-attempt',
  total: 3,
  failing: [...failing],
  others: [],
  blocked: [],
  signature: '',
  resultsFile: '',
})

test('each attempt is told with what became of it', () => {
  const attempts = attemptsOf([
    ran(['a', 'b']),
    made('done', 'one'),
    ran(['a']),
    made('waiting', 'two'),
    { kind: 'session-started', reason: 'stuck' },
    made('done', 'three'),
    ran(['c']),
    { kind: 'rolled-back', reason: 'made-worse', names: ['c'] },
    { kind: 'resumed' },
    ran(['a']),
    made('done', 'four'),
  ])
  expect(
    attempts.map(({ attempt, session, summary, verdict, failing_after: failing }) => [
      attempt,
      session,
      summary,
      verdict,
      failing,
    ]),
  ).toEqual([
    [1, 1, 'one', 'It was kept: 1 of 3 tests fail.', 1],
    [2, 1, 'two', 'It had to wait.', null],
    [3, 2, 'three', 'It was undone, because it made other tests fail: `c`.', null],
    [4, 2, 'four', null, null],
  ])
})
