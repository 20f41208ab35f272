import { describe, expect, test } from 'vitest'
import { formatRun } from '../../../src/cli/show/format-run.ts'
import { createPalette } from '../../../src/cli/show/palette.ts'
import type { ShownRun } from '../../../src/cli/show/read-run.ts'
import type { JournalEntry } from '../../../src/result-log/journal.ts'

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
  log: {
    status: 'fail',
    'written-by': 'mdtest',
    run: '7f',
    scenario: 'Shop',
    attempt: 2,
    outcome: 'fail',
    reasons: [{ code: 'VERIFY_FAILED', message: '`cart`: output is not as expected:\n- 1\n+ 2' }],
    usage: { 'input-tokens': 12_000, 'output-tokens': 300, 'cost-usd': 0.5, 'duration-ms': 1000, model: 'm-1' },
  },
  steps: [
    {
      id: '1-add',
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
    { id: '2-pay', calls: [{ ...call, kind: 'web', title: 'WebFetch x', exitCode: 0, denied: true, excerpt: '' }] },
  ],
  otherCalls: [{ ...call, step: null, exitCode: 0, excerpt: 'ok' }],
  journalNotes: ['1 line of the journal cannot be read.'],
  evidence: [{ name: 'badge.png', bytes: 5 }],
  body: '\nAll went well.\n\nAlmost.\n',
  files: { log: '/project/shop.logs/T.log.md', evidence: '/project/shop.logs/T' },
}
const style = { cwd: '/project', palette: createPalette(false) }

describe('a run as text', () => {
  test('has all there is to know', () => {
    expect(formatRun(run, style)).toMatchInlineSnapshot(`
      "shop.test.md > Shop 2026-02-10T14:30:00Z, attempt 2
        outcome fail
        VERIFY_FAILED \`cart\`: output is not as expected:
          - 1
          + 2
        used 12 k tokens in, 300 out, $0.50 (m-1)

        1-add pass
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

        2-pay not in the log
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

  test('says what is wrong with the log', () => {
    const log = { code: 'LOG_MISSING', message: 'There is no result log at `x`.' } as const
    const bare = { ...run, log, steps: [], otherCalls: [], journalNotes: [], evidence: [], body: '', files: {} }
    expect(formatRun(bare, style)).toBe(
      'shop.test.md 2026-02-10T14:30:00Z\n  LOG_MISSING There is no result log at `x`.\n',
    )
  })

  test('does not take the word of an agent for a verdict', () => {
    const text = formatRun({ ...run, log: { status: 'pass' } }, style)
    expect(text).toContain('  pass as the log says; the verdict was not written into it\n')
  })

  test('has colors where they are wanted, and nothing else that a terminal obeys', () => {
    const evil = '\u001b[2J\u009b\u0007'
    const hostile: ShownRun = {
      ...run,
      spec: `/project/${evil}.test.md`,
      log: { status: 'fail', scenario: evil, outcome: 'fail', reasons: [{ code: evil, message: `${evil}\n${evil}` }] },
      steps: [
        {
          id: evil,
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
    const colored = formatRun(hostile, { ...style, palette: createPalette(true) })
    expect(colored).toContain('\u001b[31mfail\u001b[39m')
    expect(colored.replaceAll(/\u001b\[\d+m/g, '')).toBe(formatRun(hostile, style))
  })
})
