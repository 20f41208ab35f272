import { expect, test } from 'vitest'
import {
  createSession,
  defaultSettings,
  type SessionState,
} from '../../../../src/commands/fix/session/session-state.ts'
import { fixReport, fixReportSchema, formatFixReport } from '../../../../src/commands/fix/session/fix-report.ts'
import type { FinishedAct } from '../../../../src/commands/fix/session/finished-acts.ts'
import { sessionsStatistics, sessionsStatisticsSchema } from '../../../../src/commands/sessions/sessions.ts'

function session(more: Partial<SessionState> = {}): SessionState {
  const settings = { ...defaultSettings, root: '/p' }
  return {
    ...createSession({ feature: 'Cart', settings, runMark: 'm', now: new Date(0) }),
    session_id: 'cart-1',
    ...more,
  }
}

const made = (changedFiles: string[]): FinishedAct => ({
  ...{ kind: 'attempt-made', outcome: 'done', summary: '', checkpoint: 'c', protectedChanges: [] },
  ...{ changedFiles, contextUtilization: null, leftOut: [{ path: 'x.yml', reason: 'is no source' }] },
})
const ran = (failing: string[]): FinishedAct => ({
  ...{ kind: 'tests-ran', purpose: 'after-attempt', total: 3, failing, others: [], blocked: [] },
  ...{ signature: '', resultsFile: '' },
})
const history = [
  ran(['a', 'b']),
  made(['b.ts', 'a.ts']),
  ran(['a']),
  made(['undone.ts']),
  { kind: 'rolled-back' as const, reason: 'made-worse' as const, names: ['c'] },
  made(['a.ts']),
  ran([]),
]
const state = { ...session().state, total_tests: 3, failing_tests: 0, previous_attempts: 3 }
const parts = { artifacts: ['x'], firstCheckpoint: 'refs/mdtest/1', branch: null }

test('a report names the changes that were kept, once each, and what was left out of which attempt', () => {
  const report = fixReport(
    session({ history, state, result: 'success', reason: 'All passed.', elapsed_ms: 1234.6 }),
    parts,
  )
  expect(fixReportSchema.parse(report)).toEqual(report)
  expect(report.changed_files).toEqual(['a.ts', 'b.ts'])
  expect(report.left_out.map(({ attempt, path }) => [attempt, path])).toEqual([
    [1, 'x.yml'],
    [2, 'x.yml'],
    [3, 'x.yml'],
  ])
  expect(report).toMatchObject({ duration_ms: 1235, first_checkpoint: 'refs/mdtest/1', calls_without_cost: 0 })
})

test('a session that was interrupted before all has no checkpoint to go back to', () => {
  const report = fixReport(session(), parts)
  expect(report).toMatchObject({ result: 'error', reason: 'It was interrupted.', first_checkpoint: null, attempts: 0 })
  const text = formatFixReport(report, 'f')
  expect(text).toContain('tests: never ran')
  expect(text).not.toContain('before the first attempt')
})

test.each<readonly [string, Partial<SessionState>, string]>([
  ['a cost', { cost_usd: 1.005 }, 'cost: 1.00 USD;'],
  ['no cost', { cost_usd: 0 }, 'cost: 0.00 USD;'],
  ['one that nobody told', { cost_usd: null }, 'cost: unknown;'],
  [
    'one that is known in part',
    { cost_usd: 2, calls_without_cost: ['a', 'b'] },
    '2.00 USD plus the unknown cost of 2 calls;',
  ],
  ['a halt', { result: 'stalled', reason: 'No way.' }, 'Cart: stalled. No way.'],
  ['what to read', { result: 'incomplete' }, 'what now: f/artifacts/halt.md'],
  ['tests', { state }, 'tests: 0 of 3 fail; attempts: 3'],
])('%s is told', (_, more, text) => {
  expect(formatFixReport(fixReport(session(more), parts), 'f')).toContain(text)
})

test('a success needs nobody, and tells of its branch and its report', () => {
  const report = fixReport(session({ result: 'success', history, state }), { ...parts, branch: 'mdtest/fix/cart' })
  const text = formatFixReport(report, 'f')
  expect(text).toContain('branch: mdtest/fix/cart (nothing is merged)')
  expect(text).toContain('report: f/artifacts/report.md\n')
  expect(text).not.toContain('halt.md')
})

test('sessions are counted in the order in which they began', () => {
  const old = session({ session_id: 'old', history, state, result: 'success', started_at: '2026-01-01T00:00:00Z' })
  const young = session({ session_id: 'young', result: 'stalled', started_at: '2026-01-03T00:00:00Z' })
  const open = session({ session_id: 'open', started_at: '2026-01-02T00:00:00Z' })
  const statistics = sessionsStatistics([young, old, open])
  expect(sessionsStatisticsSchema.parse(statistics)).toEqual(statistics)
  expect(statistics.sessions.map((each) => each.session_id)).toEqual(['old', 'open', 'young'])
  expect(statistics).toMatchObject({ total: 3, attempts: 3, completion_rate: 0.5 })
  expect(statistics.sessions[0]).toMatchObject({ failing_before: 2, failing_after: 0, delta: 2 })
  expect(statistics.sessions[1]).toMatchObject({ failing_before: null, failing_after: null, delta: null, result: null })
  expect(sessionsStatistics([open]).completion_rate).toBeNull()
  expect(sessionsStatistics([])).toEqual({ sessions: [], total: 0, attempts: 0, completion_rate: null })
})
