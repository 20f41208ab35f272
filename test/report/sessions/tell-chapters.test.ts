import { expect, test } from 'vitest'
import { createSession, defaultSettings } from '../../../src/commands/fix/loop/create-session.ts'
import type { AttemptMade, FinishedAct } from '../../../src/commands/fix/session/history.ts'
import { summarizeSession } from '../../../src/report/sessions/session-summary.ts'
import { tellChapters, type SessionMaterial } from '../../../src/report/sessions/tell-chapters.ts'
import type { Chapter, SessionRecord } from '../../../src/report/sessions/session-record.ts'

function ran(failing: readonly string[], others: readonly string[] = []): FinishedAct {
  return {
    ...{ kind: 'tests-ran', purpose: 'after-attempt', total: 5, blocked: [], resultsFile: 'r' },
    ...{ failing: [...failing], others: [...others], signature: failing.join() },
  }
}

function made(more: Partial<AttemptMade> = {}): FinishedAct {
  return {
    ...{ kind: 'attempt-made', outcome: 'done', summary: 'It did.', checkpoint: 'c', changedFiles: ['a.ts'] },
    ...{ protectedChanges: [], contextUtilization: null },
    ...more,
  }
}

const configured: FinishedAct = { kind: 'tests-configured', runner: 'vitest' }
const red = [configured, ran(['a', 'b']), ran(['a', 'b'])]
const none: SessionMaterial = { results: () => undefined, asked: new Map(), times: [], files: new Map() }

function tell(history: readonly FinishedAct[], material: Partial<SessionMaterial> = {}): readonly Chapter[] {
  const now = new Date(0)
  const session = createSession({ feature: 'f', settings: { ...defaultSettings, root: '/p' }, runMark: 'm', now })
  const summaries = [{ version: 1, text: 'So far.', created_at: now.toISOString(), reason: 'stuck' as const }]
  return tellChapters(
    { ...session, history: [...history], state: { ...session.state, summaries } },
    { ...none, ...material },
  )
}

const kinds = (chapters: readonly Chapter[]): string[] =>
  chapters.map((chapter) => (chapter.kind === 'attempt' ? `attempt: ${chapter.fate}` : chapter.kind))

test.each<readonly [string, readonly FinishedAct[], readonly string[]]>([
  ['nothing', [], []],
  ['what is found first', red, ['tests']],
  ['an attempt that was kept', [...red, made(), ran(['a'])], ['tests', 'attempt: kept']],
  ['one that is not judged yet', [...red, made()], ['tests', 'attempt: open']],
  ['one whose tests are not sure', [...red, made(), ran(['a', 'c'])], ['tests', 'attempt: open']],
  [
    'one that was undone',
    [...red, made(), ran(['a', 'c']), { kind: 'rolled-back', reason: 'made-worse', names: ['c'] }],
    ['tests', 'attempt: undone'],
  ],
  ['one that has to wait', [...red, made({ outcome: 'waiting' })], ['tests', 'attempt: waited']],
  [
    'a new implementer',
    [...red, made(), ran(['a']), { kind: 'summarized', reason: 'stuck' }, { kind: 'session-started', reason: 'stuck' }],
    ['tests', 'attempt: kept', 'summary', 'session'],
  ],
  ['what broke', [configured, { kind: 'broke', message: 'No disk.' }], ['broke']],
  ['who goes on', [...red, { kind: 'resumed' }, ran(['a'])], ['tests', 'resumed', 'tests']],
])('%s', (_, history, expected) => {
  expect(kinds(tell(history))).toEqual(expected)
})

test('an attempt is told with the tests before and after it, and what was flaky', () => {
  const [, attempt] = tell([...red, made(), ran(['a', 'c']), ran(['a'])])
  expect(attempt).toMatchObject({
    ...{ attempt: 1, session: 1, failingBefore: 2, failingAfter: 1, total: 5, flaky: ['c'] },
    ...{ verdict: 'It was kept: 1 of 5 tests fail.', changedFiles: ['a.ts'] },
  })
})

test('times are those between two acts; a clock that went back took none', () => {
  const at = (second: number): string => new Date(second * 1000).toISOString()
  const [, attempt] = tell([...red, made(), ran(['a'])], { times: [at(1), at(2), at(3), at(8), at(9)] })
  expect(attempt).toMatchObject({ startedAt: at(3), durationMs: 5000 })
  const [, back] = tell([...red, made(), ran(['a'])], { times: [at(1), at(2), at(9), at(8), at(9)] })
  expect(back).toMatchObject({ durationMs: 0 })
  const [, unknown] = tell([...red, made(), ran(['a'])], { times: [at(1), at(2), undefined, at(8)] })
  expect(unknown).not.toHaveProperty('durationMs')
})

test('a summary of the page is short: of many reasons the first, of each attempt what it came to', () => {
  const chapters = tell([...red, made({ summary: `x\n${'y'.repeat(500)}` }), ran(['a']), made(), ran(['a', 'b'])])
  const failing = ['a', 'b', 'c', 'd'].map((key) => ({ key, name: key, message: '' }))
  const record = {
    ...{ version: 1, id: 's-1', feature: 'f', result: 'stalled', reason: 'No way.', chapters: [...chapters], failing },
    ...{ total: 5, failingFirst: 2, failingLast: 1, startedAt: '2026-01-02T03:04:05Z', durationMs: 1 },
  } as unknown as SessionRecord // as far as it is asked
  const summary = summarizeSession(record)
  expect(summary.reasons).toEqual(['No way.', 'still fails: a', 'still fails: b'])
  expect(summary).toMatchObject({ outcome: 'fail', word: 'stalled', anchor: 's-1' })
  expect(summary.attempts[0]).toMatchObject({ anchor: 'attempt-1', outcome: 'pass' })
  expect(summary.attempts[0]?.title).not.toContain('\n')
  expect(summary.attempts[0]?.title.length).toBeLessThanOrEqual(241)
  expect(summarizeSession({ ...record, result: 'success' }).reasons[0]).toBe('still fails: a')
})
