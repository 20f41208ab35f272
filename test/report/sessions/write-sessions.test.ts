import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { FinishedAct } from '../../../src/commands/fix/session/history.ts'
import type { SessionState } from '../../../src/commands/fix/session/session-state.ts'
import { clearReport, openReport } from '../../../src/report/folder/report-folder.ts'
import { renderSession } from '../../../src/report/sessions/render-session.ts'
import type { SessionRecord, ToldAttempt } from '../../../src/report/sessions/session-record.ts'
import { summarizeSession } from '../../../src/report/sessions/session-summary.ts'
import { writeSessions } from '../../../src/report/sessions/write-sessions.ts'
import { readRecords } from '../../../src/report/records/stored-records.ts'
import { openRedactor } from '../../../src/system/redaction/open-redactor.ts'
import { useFolders, type TestFolder } from '../../host/use-folder.ts'
import { attempted, ran, results, writeFixSession } from '../../support/write-fix-session.ts'

const createFolder = useFolders()
const { redactor } = openRedactor({ envs: [{ SHOP_PASSWORD: 'hunter2-hunter2' }], names: [] })

const adds = 'sum.test.mjs > adds'
const doubles = 'sum.test.mjs > doubles'
const halves = 'sum.test.mjs > halves'
const evil = `"><img src=x onerror="hacked=1"></script><script>hacked=2</script>\u202e`

/** All that can happen to attempts. */
const history: readonly FinishedAct[] = [
  { kind: 'tests-configured', runner: 'node' },
  ran(2, [adds, doubles, halves], { purpose: 'baseline', blocked: ['shop > pay'] }),
  ran(3, [adds, doubles], { purpose: 'confirm-failing' }),
  { kind: 'prompt-written' },
  attempted('Found the sign.'),
  ran(6, [doubles]),
  { kind: 'prompt-written' },
  attempted(evil, { changedFiles: ['sum.mjs', 'sum.test.mjs'], protectedChanges: ['sum.test.mjs'] }),
  { kind: 'rolled-back', reason: 'protected-files', names: ['sum.test.mjs'] },
  attempted('Broke another.'),
  ran(10, [doubles, halves]),
  ran(11, [doubles, halves], { purpose: 'confirm-failing' }),
  { kind: 'rolled-back', reason: 'made-worse', names: [halves] },
  attempted('The provider asks to wait.', { outcome: 'waiting', changedFiles: [] }),
  attempted('It broke off.', { outcome: 'broke-off', changedFiles: [] }),
  ran(15, [doubles]),
  { kind: 'summarized', reason: 'stuck' },
  { kind: 'session-started', reason: 'stuck' },
  attempted('Was interrupted.'),
  { kind: 'resumed' },
  ran(20, [doubles], { purpose: 'baseline' }),
  { kind: 'broke', message: 'The tests cannot start any more.' },
]

const state: Partial<SessionState> = {
  result: 'error',
  reason: 'The tests cannot start any more.',
  state: {
    total_tests: 9,
    failing_tests: 1,
    previous_attempts: 6,
    context_utilization: null,
    summaries: [{ version: 1, text: `Summed up. ${evil}`, created_at: '2026-01-02T03:04:05Z', reason: 'stuck' }],
  },
  failing: [doubles],
  session_costs_usd: { a: 0.25 },
  cost_usd: 0.25,
}

const doubled = { key: doubles, name: 'doubles', file: 'sum.test.mjs', line: 9, expected: '4', received: '6' }
const files = {
  'results/2.json': results([{}, doubled]),
  'results/3.json': results([
    { expected: '5', received: '-1' },
    { ...doubled, received: '5' },
  ]),
  'results/6.json': results([doubled]),
  'results/10.json': 'no JSON',
  'results/15.json': results([doubled]),
  'results/20.json': results([{ ...doubled, message: `the password is hunter2-hunter2 ${evil}` }]),
  'artifacts/attempts/1/implementer_prompt.json': { prompt: `Fix it. ${evil}`, written_by: 'rule' },
  'artifacts/attempts/1/implementer_status.json': { answer: { root_cause: 'A minus in place of a plus.' } },
  'artifacts/attempts/2/implementer_prompt.json': '{"half',
  'artifacts/halt.md': '# Halt hunter2-hunter2\n',
  'artifacts/report.json': { branch: null, first_checkpoint: 'refs/mdtest/all/attempt-1' },
  'calls/5-implementer-abc123/raw.log': 'I am the agent, hunter2-hunter2\n',
}

async function recordIn(folder: TestFolder, id: string): Promise<SessionRecord> {
  const { sessions } = await readRecords(folder.at('out'))
  return sessions.find((session) => session.id === id) as SessionRecord // looked at only where it is there
}

describe('the sessions of a project', () => {
  test('are told from their folders alone: attempts with what became of them and of the tests', async () => {
    const folder = createFolder()
    await writeFixSession({ root: folder.path, id: 'all', history, state, files })
    await writeSessions({ root: folder.path, dir: folder.at('out'), redactor })
    const record = await recordIn(folder, 'all')
    const attempts = record.chapters.filter((chapter): chapter is ToldAttempt => chapter.kind === 'attempt')
    expect(
      attempts.map(({ attempt, session, fate, failingBefore, failingAfter, tests }) =>
        [
          attempt,
          session,
          fate,
          failingBefore,
          failingAfter,
          ...tests.map(({ change, key }) => `${change} ${key}`),
        ].join(' '),
      ),
    ).toEqual([
      `1 1 kept 2 1 still ${doubles} fixed ${adds}`,
      '2 1 undone 1 ',
      `3 1 undone 1 2 new ${halves} still ${doubles}`,
      '4 1 waited 1 ',
      `5 1 kept 1 1 still ${doubles}`,
      '6 2 open 1 ',
    ])
    expect(attempts[0]).toMatchObject({
      rootCause: 'A minus in place of a plus.',
      verdict: 'It was kept: 1 of 9 tests fail.',
      tests: [
        { before: { received: '5' }, after: { received: '6', line: 9 } },
        { before: { expected: '5', received: '-1' } },
      ],
    })
    expect(record.chapters.map(({ kind }) => kind).filter((kind) => kind !== 'attempt')).toEqual([
      ...['tests', 'summary', 'session', 'resumed', 'tests', 'broke'],
    ])
    expect(record.chapters[0]).toMatchObject({ flaky: [halves], total: 9 })
    expect(record).toMatchObject({
      failingFirst: 3,
      failingLast: 1,
      costUsd: 0.25,
      failing: [{ key: doubles, line: 9 }],
    })
    // What is broken is named, and nothing else is lost by it.
    expect(record.notes).toEqual(
      expect.arrayContaining([
        'results/11.json: is not there.',
        'artifacts/attempts/2/implementer_prompt.json: is not what this version of mdtest writes.',
      ]),
    )
    expect(summarizeSession(record)).toMatchObject({
      anchor: 'all',
      word: 'error',
      outcome: 'blocked',
      attempts: [
        ...[{ outcome: 'pass' }, { outcome: 'fail' }, { outcome: 'fail' }],
        ...[{ outcome: 'skipped' }, { outcome: 'skipped' }, { outcome: 'skipped' }],
      ],
      reasons: ['The tests cannot start any more.', `still fails: ${doubles}`],
    })
  })

  test('are shown as text, with what a person needs first and without secrets', async () => {
    const folder = createFolder()
    await writeFixSession({ root: folder.path, id: 'all', history, state: { ...state, feature: evil }, files })
    await writeSessions({ root: folder.path, dir: folder.at('out'), redactor })
    const { text } = renderSession(await recordIn(folder, 'all'))
    expect(text).not.toMatch(/<script|<img|\u202e|hunter2/)
    expect(text).toContain('&#60;script&#62;hacked=2')
    const titles = [...text.matchAll(/<h3>([^<]*)/g)].map(([, title]) => title)
    expect(titles).toEqual([
      ...['What still fails', 'What to look at next', 'How to go on', 'What has changed', 'What was done'],
    ])
    for (const part of [
      'npx vitest-mdtest fix --resume all',
      'git diff refs/mdtest/all/attempt-1',
      'It was undone, because it changed what may not be changed: <code>sum.test.mjs</code>.',
      '<code>sum.test.mjs</code> <span class="note bad">protected</span>',
      'Before any attempt: 2 of 9 tests failed, 1 failed once and passed then',
      'the password is ***',
      'data-step="attempt-3"',
      'href="#all/attempt-3"',
    ]) {
      expect(text).toContain(part)
    }
    const copies = await readdir(folder.at('out/session-files'))
    const texts = await Promise.all(copies.map((name) => readFile(folder.at('out/session-files', name), 'utf8')))
    expect(texts.join('\n')).toContain('I am the agent, ***')
    expect(texts.join('\n')).not.toContain('hunter2')
    for (const [, path] of text.matchAll(/<a href="(session-files[^"]*)"/g)) {
      expect(copies).toContain(path?.slice('session-files/'.length))
    }
  })

  test('bring no other file of the machine along', async () => {
    const folder = createFolder()
    await folder.write({ 'private/raw.log': 'secret', 'private/summary.json': '{}' })
    const leading = { ...results([{}]), summary_path: folder.at('private/summary.json') }
    const hidden = { ...results([{}]), summary_path: folder.at('.mdtest/sessions/s/test-runs/linked/summary.json') }
    const session = await writeFixSession({
      root: folder.path,
      id: 's',
      history: [ran(1, [adds], { purpose: 'baseline' }), ran(2, [adds], { purpose: 'confirm-failing' })],
      files: { 'results/1.json': leading, 'results/2.json': hidden, 'test-runs/2026-01-02T03-04-05/raw.log': 'output' },
    })
    await symlink(folder.at('private'), join(session, 'test-runs/linked'))
    await symlink(folder.at('private'), join(session, 'test-runs/2027-01-02T03-04-05'))
    await writeSessions({ root: folder.path, dir: folder.at('out'), redactor })
    const copies = await readdir(folder.at('out/session-files'))
    expect(copies.map((name) => name.slice(17))).toEqual(['state.json'])
  })

  test('that cannot be read are named and break nothing; those that are gone stay in the report', async () => {
    const folder = createFolder()
    const place = { root: folder.path, dir: folder.at('out'), redactor }
    await writeFixSession({ root: folder.path, id: 'gone', history: [], state: { result: 'success', reason: 'Yes.' } })
    await writeFixSession({ root: folder.path, id: 'stays', history: history.slice(0, 3), files })
    await writeSessions(place)
    const copies = await readdir(folder.at('out/session-files'))
    await rm(folder.at('.mdtest/sessions/gone'), { recursive: true })
    await writeFixSession({ root: folder.path, id: 'old', history: [], files: { 'state.json': '{"version":0}' } })
    await mkdir(folder.at('.mdtest/sessions/empty'))
    await writeFile(folder.at('.mdtest/sessions/file'), '')
    // It went on, so a copy of its state has another name now.
    await writeFixSession({ root: folder.path, id: 'stays', history: history.slice(0, 6), files })
    const { records, unreadable } = await writeSessions(place)
    expect(records.map(({ id }) => id)).toEqual(['gone', 'stays'])
    expect(unreadable.map(({ id, why }) => [id, why.replace(folder.path, '')])).toEqual([
      ['empty', 'There is no session at `/.mdtest/sessions/empty`.'],
      ['old', '`/.mdtest/sessions/old/state.json` is no state of a session (version: Invalid input: expected 1).'],
    ])
    const page = await readFile(folder.at('out/sessions.js'), 'utf8')
    expect(page).toContain('"id":"old"')
    expect(page.match(/"word":"[^"]*"/g)).toEqual(['"word":"success"', '"word":"not over"'])
    const now = await readdir(folder.at('out/session-files'))
    expect(now.filter((name) => name.endsWith('-state.json'))).toHaveLength(2)
    expect(now).not.toEqual(copies)
  })

  test('are left alone by a run of specs, and specs by them', async () => {
    const folder = createFolder()
    const place = { root: folder.path, dir: folder.at('out'), redactor }
    await writeFixSession({ root: folder.path, id: 'all', history, state, files })
    await writeSessions(place)
    const names = (): Promise<readonly string[]> => readdir(folder.at('out'), { recursive: true })
    const before = await names()
    clearReport(place)
    expect(await names()).toEqual(before)
    const report = await openReport({ dir: folder.at('out'), root: folder.path })
    await report.putRun({
      version: 1,
      id: '5f0c3b1e-0000-4000-8000-000000000001',
      startedAt: '2026-02-10T14:30:00.000Z',
      specs: 1,
      otherTests: { pass: 0, fail: 0, skipped: 0 },
      errors: [],
    })
    await report.writeSummary()
    const summary = await readFile(folder.at('out/summary.js'), 'utf8')
    expect(await readFile(folder.at('out/sessions.js'), 'utf8')).toContain('"anchor":"all"')
    await writeSessions(place)
    expect(await readFile(folder.at('out/summary.js'), 'utf8')).toBe(summary)
  })
})
