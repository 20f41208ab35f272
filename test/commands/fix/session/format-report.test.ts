import { expect, test } from 'vitest'
import {
  defaultSettings,
  createSession,
  type FixSettings,
  type SessionState,
} from '../../../../src/commands/fix/session/session-state.ts'
import { nextSteps, resumeCommand } from '../../../../src/commands/fix/session/fix-report.ts'
import type { FinishedAct } from '../../../../src/commands/fix/session/finished-acts.ts'
import { attempted, results } from '../../../support/write-fix-session.ts'

function halted(given: Partial<SessionState>, settings: Partial<FixSettings> = {}): SessionState {
  const session = createSession({
    feature: 'sums',
    settings: { ...defaultSettings, root: '/p', ...settings },
    runMark: 'mdtest-0',
    now: new Date('2026-01-02T03:04:05Z'),
  })
  return { ...session, session_id: 'sums', ...given }
}

const used = { elapsed_ms: 600_000, cost_usd: 2.5 }

test.each([
  [{}, ''],
  [{ max_attempts: 3 }, ''],
  [{ max_attempts: 2 }, ' --max-attempts 4'],
  [{ max_minutes: 10 }, ' --max-minutes 20'],
  [{ max_minutes: 10.5 }, ''],
  [{ max_cost_usd: 2.5, max_minutes: 5 }, ' --max-minutes 10 --max-cost-usd 5'],
])('with the limits %j it goes on with%s', (settings, more) => {
  const session = halted(used, settings)
  const attempts = { ...session, state: { ...session.state, previous_attempts: 2 } }
  expect(resumeCommand(attempts)).toBe(`npx vitest-mdtest fix --resume sums${more}`)
})

test('what to look at next follows from how attempts ended', () => {
  const history: readonly FinishedAct[] = [
    attempted('One.'),
    { kind: 'rolled-back', reason: 'protected-files', names: ['sum.test.mjs'] },
    attempted('Two.'),
    { kind: 'rolled-back', reason: 'made-worse', names: ['doubles'] },
    attempted('Three.'),
    { kind: 'rolled-back', reason: 'tests-lost', names: [] },
  ]
  const steps = nextSteps(halted({ history: [...history], result: 'stalled' }), results([{ file: 'a.mjs', line: 3 }]))
  expect(steps).toEqual([
    'The first failure: `a.mjs:3`. Is its expectation right?',
    '1 attempt changed protected files, `sum.test.mjs`: are they right as they are? `--allow-test-edits` permits such changes.',
    '2 attempts made it worse: do the tests contradict each other?',
    'Files that attempts changed: `sum.mjs`.',
  ])
  const broken = halted({
    history: [{ ...attempted('No.'), outcome: 'broke-off', changedFiles: [] }],
    result: 'stalled',
  })
  expect(nextSteps(broken, results([{ file: 'a.mjs', line: 3 }]))[0]).toBe(
    '1 attempt broke off. Look at the agent first: it has to print `{ "status": "done", "summary": "…" }` last. Its output is in `calls/`.',
  )
  expect(nextSteps(halted({ result: 'error' }), results([]))).toEqual([
    'First solve the problem named above: no attempt can do that.',
  ])
})
