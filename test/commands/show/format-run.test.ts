import { describe, expect, test } from 'vitest'
import { formatRun } from '../../../src/commands/show/show.ts'
import { createPalette } from '../../../src/commands/common/styled-text.ts'
import type { ShownRun } from '../../../src/records/folders/read-run.ts'
import type { JournalEntry } from '../../../src/records/journal/journal.ts'

const call: JournalEntry = {
  id: 't1',
  at: '2026-02-10T14:30:05.123Z',
  step: '1-add',
  kind: 'command',
  title: 'npm run shop -- add mug',
  exitCode: 1,
  excerpt: 'one\ntwo\nthree\nfour\nfive\n',
  activity: true,
}
const run: ShownRun = {
  spec: '/project/shop.test.md',
  startedAt: '2026-02-10T14:30:00Z',
  verdict: {
    version: 1,
    spec: 'shop.test.md',
    run: '7f',
    scenario: 'Shop',
    attempt: 2,
    agent: 'claude',
    startedAt: '2026-02-10T14:30:00.000Z',
    outcome: 'fail',
    usage: { inputTokens: 12_000, outputTokens: 300, costUsd: 0.5, durationMs: 1000, model: 'm-1' },
  },
  log: { status: 'fail', 'written-by': 'mdtest', run: '7f', scenario: 'Shop', attempt: 2 },
  steps: [
    {
      id: '1-add',
      verdict: {
        title: 'Add',
        line: 3,
        outcome: 'fail',
        reasons: [{ code: 'VERIFY_FAILED', message: '`cart`: output is not as expected:\n- 1\n+ 2', line: 5 }],
        durationMs: 61_240,
      },
      result: {
        status: 'pass',
        observed: 'the badge shows 1',
        evidence: ['badge.png', 'gone.png', { quote: 'one\n two' }],
        checks: [
          { n: 2, status: 'fail', observed: 'no' },
          { line: 7, status: 'blocked' },
        ],
      },
      calls: [call],
    },
    {
      id: '2-list',
      verdict: { title: 'List', line: 9, outcome: 'pass', assurance: 'verified', reasons: [], durationMs: 0 },
      calls: [],
    },
    { id: '3-pay', calls: [{ ...call, kind: 'web', title: 'WebFetch x', exitCode: 0, denied: true, excerpt: '' }] },
  ],
  otherCalls: [{ ...call, step: null, exitCode: 0, excerpt: 'ok' }],
  journalNotes: ['1 line of the journal cannot be read.'],
  evidence: [{ name: 'badge.png', bytes: 5 }],
  body: '\nAll went well.\n\nAlmost.\n',
  files: { log: '/project/shop.logs/T.log.md', evidence: '/project/shop.logs/T' },
}
const none = { problem: 'There is none.' }
const style = { cwd: '/project', palette: createPalette(false) }

describe('a run as text', () => {
  test('has all there is to know', () => {
    expect(formatRun(run, style)).toMatchInlineSnapshot(`
      "shop.test.md > Shop 2026-02-10T14:30:00Z, attempt 2
        outcome fail
        used 12 k tokens in, 300 out, $0.50 (m-1)

        1-add fail in 61.2 s, reported pass
          VERIFY_FAILED \`cart\`: output is not as expected:
            - 1
            + 2
          observed: the badge shows 1
          cites: badge.png
          cites: gone.png (no such file)
          cites: “one two”
          check 2 fail
            observed: no
          check at line 7 blocked
          14:30:05 command npm run shop -- add mug  exit 1
            | one
            | two
            | three
            | … 2 more lines

        2-list pass verified

        3-pay not reported
          14:30:05 web WebFetch x  refused  exit 0

        Outside of the steps
          14:30:05 command npm run shop -- add mug  exit 0
            | ok

        1 line of the journal cannot be read.

        What the agent wrote
          All went well.

          Almost.

        Files
          result log  shop.logs/T.log.md
          evidence    shop.logs/T
            badge.png (5 bytes)
      "
    `)
  })

  test('says who carried out a step, and what became of its recording', () => {
    const verdict = {
      title: 'A',
      line: 3,
      outcome: 'pass',
      assurance: 'evidenced',
      reasons: [],
      durationMs: 0,
    } as const // literals
    const misfit = {
      code: 'REPLAY_DIFFERS',
      cause: 'output changed',
      message: 'Something else came.\n\n- tea\n+ coffee',
      file: 'shop.recording.md',
      line: 12,
    }
    const steps: ShownRun['steps'] = [
      { id: '1-a', verdict: { ...verdict, assurance: 'reproduced', source: { kind: 'replayed' } }, calls: [] },
      { id: '2-a', verdict: { ...verdict, source: { kind: 'handed-over', reason: misfit } }, calls: [] },
      { id: '2-b', verdict: { ...verdict, source: { kind: 'handed-over', reason: misfit } }, calls: [] },
      { id: '3-a', verdict: { ...verdict, source: { kind: 'agent' } }, calls: [] },
      { id: '4-a', verdict: { ...verdict, assurance: 'witnessed', executor: { sandbox: 'bubblewrap' } }, calls: [] },
    ]
    expect(formatRun({ ...run, steps, otherCalls: [], journalNotes: [], body: '', files: {} }, style))
      .toMatchInlineSnapshot(`
      "shop.test.md > Shop 2026-02-10T14:30:00Z, attempt 2
        outcome fail
        used 12 k tokens in, 300 out, $0.50 (m-1)

        1-a pass reproduced, replayed

        2-a pass evidenced, handed over: REPLAY_DIFFERS
          the recording did not match: REPLAY_DIFFERS, output changed, shop.recording.md:12
            Something else came.

            - tea
            + coffee

        2-b pass evidenced, handed over: REPLAY_DIFFERS
          the recording did not match: REPLAY_DIFFERS, output changed, shop.recording.md:12

        3-a pass evidenced, agent

        4-a pass witnessed, executor mdtest, sandbox bubblewrap
      "
    `)
  })

  test('says what is wrong with the log where there is no verdict', () => {
    const log = { code: 'LOG_MISSING', message: 'There is no result log at `x`.' } as const
    const bare = {
      ...run,
      verdict: none,
      log,
      steps: [],
      otherCalls: [],
      journalNotes: [],
      evidence: [],
      body: '',
      files: {},
    }
    expect(formatRun(bare, style)).toBe(
      'shop.test.md 2026-02-10T14:30:00Z\n  There is none.\n  LOG_MISSING There is no result log at `x`.\n',
    )
  })

  test('does not take the word of an agent for a verdict', () => {
    const log = { status: 'pass', 'written-by': 'mdtest', outcome: 'pass', scenario: 'Mine' } as const // literals
    const text = formatRun({ ...run, verdict: none, log }, style)
    expect(text).toContain('shop.test.md > Mine 2026-02-10T14:30:00Z\n  There is none.\n  The log says pass.\n')
    expect(text).not.toContain('outcome')
  })

  test('has colors where they are wanted, and nothing else that a terminal obeys', () => {
    const evil = '\u001b[2J\u009b\u0007'
    const hostile: ShownRun = {
      ...run,
      spec: `/project/${evil}.test.md`,
      verdict: {
        ...run.verdict,
        scenario: evil,
        usage: { inputTokens: 1, outputTokens: 1, durationMs: 1, model: evil },
      },
      steps: [
        {
          id: evil,
          verdict: {
            title: evil,
            line: 1,
            outcome: 'fail',
            source: {
              kind: 'handed-over',
              reason: { code: evil, cause: evil, message: `${evil}\n${evil}`, file: evil, line: 1 },
            },
            reasons: [{ code: evil, message: `${evil}\n${evil}` }],
            durationMs: 1,
          },
          result: {
            status: 'fail',
            observed: evil,
            evidence: [evil, { quote: evil }],
            checks: [{ status: 'fail', observed: evil, evidence: [evil] }],
          },
          calls: [{ ...call, title: evil, excerpt: evil }],
        },
      ],
      otherCalls: [{ ...call, title: evil, excerpt: evil }],
      evidence: [{ name: evil, bytes: 1 }],
      body: evil,
      files: { log: `/project/${evil}` },
    }
    expect(formatRun(hostile, style)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/)
    const unjudged = { ...hostile, verdict: none, log: { status: 'fail', scenario: evil } } as const // a literal
    expect(formatRun(unjudged, style)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/)
    const colored = formatRun(hostile, { ...style, palette: createPalette(true) })
    expect(colored).toContain('\u001b[31mfail\u001b[39m')
    const difference = formatRun(run, { ...style, palette: createPalette(true) })
    expect(difference).toMatch(/\u001b\[32m *- 1\u001b\[39m\n *\u001b\[31m *\+ 2\u001b\[39m/)
    expect(colored.replaceAll(/\u001b\[\d+m/g, '')).toBe(formatRun(hostile, style))
  })
})
