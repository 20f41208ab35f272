import { writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { endedFromLogs } from '../../../src/report/records/ended-from-logs.ts'
import { openKeptFiles } from '../../../src/report/folder/kept-files.ts'
import { recordSpec } from '../../../src/report/records/record-spec.ts'
import { formatJournalEntry } from '../../../src/records/journal/journal.ts'
import type { VerdictRecord } from '../../../src/records/verdict/verdict-record.ts'
import { parseSpec } from '../../../src/spec/parse-spec.ts'
import { useFolders, type TestFolder } from '../../host/use-folder.ts'
import { groundAt } from '../../../src/system/files/ground.ts'

const createFolder = useFolders()
const text = '# Shop\n\n## Add\n\n- [ ] It is there\n\n## Pay\n\nPay.\n\n# Till\n\n## Add\n\nPay there.\n'

const misfit = { code: 'REPLAY_STALE', message: 'no', file: 'shop.recording.md', line: 9 }
const source = { kind: 'handed-over', reason: misfit } as const // a literal kind

function verdict(given: Partial<VerdictRecord>): string {
  const record: VerdictRecord = {
    version: 1,
    spec: 'shop.test.md',
    scenario: 'Shop',
    attempt: 1,
    run: '7f',
    agent: 'claude',
    startedAt: '2026-02-10T14:30:00.000Z',
    outcome: 'fail',
    steps: [
      {
        id: '1-add',
        title: 'Add',
        line: 3,
        outcome: 'pass',
        assurance: 'observed',
        source,
        executor: { sandbox: 'bubblewrap' },
        reasons: [],
        durationMs: 100,
      },
      {
        id: '2-pay',
        title: 'Pay',
        line: 7,
        outcome: 'fail',
        reasons: [{ code: 'STEP_FAILED', message: 'no', line: 7 }],
        durationMs: 200,
      },
    ],
    usage: { inputTokens: 10, outputTokens: 5, costUsd: 0.5, durationMs: 5000 },
    ...given,
  }
  return JSON.stringify(record)
}

async function recordIn(folder: TestFolder): ReturnType<typeof recordSpec> {
  const file = folder.at('shop.test.md')
  const parsed = parseSpec(text, { file, agentDefault: 'claude' }).spec
  const ended = await endedFromLogs({
    file,
    root: folder.path,
    logFolder: folder.at('shop.logs'),
    text,
    parsed,
    included: new Map(),
  })
  if (ended === undefined) throw new TypeError('There is no run.')
  return recordSpec(ended, openKeptFiles({ dir: folder.at('out'), ground: groundAt(folder.path) }))
}

const log = `---
status: fail
steps:
  - id: 1-add
    status: pass
    observed: it is in the cart
    evidence: [shots/cart.png, { quote: one mug }]
    checks: [{ line: 5, status: pass, observed: it is }]
  - { id: 2-pay, status: fail, observed: no till }
---

Done.
`
const call = {
  id: 't',
  at: '2026-02-10T14:30:01Z',
  kind: 'command',
  title: 'ls',
  excerpt: 'one mug',
  activity: true,
} as const // literals

describe('a report from result logs alone', () => {
  test('has verdict, words, calls, screenshots and files of the newest run of each scenario', async () => {
    const folder = createFolder()
    const stem = 'shop.logs/2026-02-10T14-30-00Z'
    await folder.write({
      [`${stem}.verdict.json`]: verdict({}),
      [`${stem}.log.md`]: log,
      [`${stem}.journal.jsonl`]:
        formatJournalEntry({ ...call, step: '1-add' }) + formatJournalEntry({ ...call, step: null }),
      [`${stem}.raw.log`]: 'out',
      [`${stem}.cast`]: '{"version":2}\n',
      [`${stem}/shots/cart.png`]: '',
      'shop.logs/2026-02-10T14-29-00Z.verdict.json': verdict({ outcome: 'pass', steps: [], attempt: 9 }),
      'shop.logs/2026-02-10T14-30-00Z-2.verdict.json': verdict({
        scenario: 'Till',
        outcome: 'blocked',
        steps: [{ id: '1-add', title: 'Add', line: 13, outcome: 'blocked', reasons: [], durationMs: 0 }],
      }),
    })
    await writeFile(folder.at(`${stem}/shots/cart.png`), Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1'))
    const record = await recordIn(folder)
    expect(record).toMatchObject({
      spec: 'shop.test.md',
      // Not the title of its first scenario.
      title: 'shop.test.md',
      scenarios: [
        { ordinal: 1, title: 'Shop', line: 1 },
        { ordinal: 2, title: 'Till', line: 11 },
      ],
      outcome: 'fail',
      endedAt: '2026-02-10T14:30:05.000Z',
      problems: [],
      steps: [
        {
          anchor: '1-add',
          titles: ['Shop', 'Add'],
          outcome: 'pass',
          assurance: 'observed',
          executor: { sandbox: 'bubblewrap' },
          said: { status: 'pass', observed: 'it is in the cart' },
          checks: [{ n: 1, line: 5, status: 'pass', observed: 'it is' }],
          calls: [{ title: 'ls', step: '1-add' }],
          images: [{ name: 'shots/cart.png', path: expect.stringMatching(/^images\//) }],
        },
        { anchor: '2-pay', outcome: 'fail', reasons: [{ code: 'STEP_FAILED' }], said: { observed: 'no till' } },
        { anchor: '2/1-add', titles: ['Till', 'Add'], outcome: 'blocked' },
      ],
      runs: [
        {
          scenario: 'Shop',
          agent: 'claude',
          narrative: 'Done.',
          otherCalls: [{ step: null }],
          images: [],
          usage: { costUsd: 0.5 },
        },
        { scenario: 'Till' },
      ],
    })
    expect(record.runs[0]?.files.map(({ title }) => title)).toEqual([
      'result log',
      'journal',
      'agent output',
      'recording',
    ])
  })

  test('says that a newer run did not come to its end', async () => {
    const folder = createFolder()
    await folder.write({
      'shop.logs/2026-02-10T14-30-00Z.verdict.json': verdict({}),
      'shop.logs/2026-02-10T14-31-00Z.log.md': '---\nstatus: pass\n---\n',
    })
    expect((await recordIn(folder)).problems).toEqual([{ message: expect.stringContaining('did not come to its end') }])
  })

  test.each([
    [2, 'pass'],
    [1, 'fail'],
  ] as const)(
    'counts the runs of a repeated scenario: %i of 3 is %s where 2 are required',
    async (passedRuns, outcome) => {
      const folder = createFolder()
      const step = {
        id: '1-add',
        title: 'Add',
        line: 3,
        outcome: 'fail',
        reasons: [],
        durationMs: 1,
        passedRuns,
      } as const // literals
      const repeat = { run: 3, of: 3, required: 2 }
      await folder.write({
        'shop.logs/2026-02-10T14-30-00Z.verdict.json': verdict({ repeat, steps: [{ ...step, reasons: [] }] }),
      })
      expect((await recordIn(folder)).steps).toMatchObject([
        { outcome, rate: { passed: passedRuns, runs: 3, required: 2 } },
      ])
    },
  )

  test('is none where there is no verdict', async () => {
    const folder = createFolder()
    await folder.write({ 'shop.logs/2026-02-10T14-31-00Z.log.md': log })
    await expect(recordIn(folder)).rejects.toThrow('no run')
  })
})
