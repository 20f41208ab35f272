import { expect, test, describe } from 'vitest'
import { JournalWriter } from '../../../src/host/evidence/journal-writer.ts'
import { ReportReader, contestedReports } from '../../../src/host/agent-reports/report-reader.ts'
import { StepReports } from '../../../src/host/agent-reports/step-reports.ts'
import { groundAt } from '../../../src/system/files/trusted-folder.ts'
import { useFolders } from '../use-folder.ts'
import type { StepReport, StepResult } from '../../../src/records/result-log/result-log.ts'

const newFolder = useFolders()
const now = (): Date => new Date(1_000)
const redact = (text: string): string => text

function open(): { readonly stepReports: StepReports; readonly reader: ReportReader } {
  const { path, at } = newFolder()
  const ground = groundAt(path)
  const place = { cwd: path, specFile: at('a.test.md'), logFile: at('run.log.md') }
  const ids = ['1-a', '2-b']
  const stepReports = new StepReports({ steps: ids, now, maxWaitMs: 10 })
  const journal = new JournalWriter({
    allow: [],
    servers: [],
    startedAtMs: 0,
    ground,
    file: at('run.journal.jsonl'),
    steps: ids,
    now,
    ...place,
  })
  const log = { ground, file: place.logFile, run: 'r1', scenario: 'A', attempt: 1, redact }
  const steps = ids.map((id) => ({ id, title: id, checks: 0, checkLines: [] }))
  const reader = new ReportReader({
    stepReports,
    steps,
    journal,
    log,
    evidenceDir: at('evidence'),
    startedAtMs: 0,
    now,
    hidesOutputs: false,
    isToldByAgent: false,
    streamLagMs: 2_000,
  })
  journal.onEvent({ type: 'opened' })
  for (const id of ids) journal.onEvent({ type: 'tool-call', id, kind: 'other', tool, title: id, files: [] })
  return { stepReports, reader }
}

const tool = 'mcp__mdtest__report_step'

test('what was read stays as it was, and later reports come with the next reading', async () => {
  const { stepReports, reader } = open()
  expect(await reader.read()).toEqual({ reports: [], citations: [], isLastSeen: true })
  await stepReports.report({ id: '1-a', status: 'pass', evidence: [{ quote: 'nothing of this was printed' }] })
  const first = await reader.read()
  await stepReports.report({ id: '1-a', status: 'fail' })
  stepReports.direct({ kind: 'go-on' })
  await stepReports.report({ id: '2-b', status: 'pass', evidence: ['none.png'] })
  const second = await reader.read()
  expect(first.reports.map(({ id, status }) => [id, status])).toEqual([['1-a', 'pass']])
  expect(first.citations).toMatchObject([{ stepId: '1-a', found: false }])
  // With the refused report that speaks against the first.
  expect(second.reports.map(({ id, status }) => [id, status])).toEqual([
    ['1-a', 'pass'],
    ['2-b', 'pass'],
    ['1-a', 'fail'],
  ])
  expect(second.citations.map(({ stepId }) => stepId)).toEqual(['1-a', '2-b'])
})

test('readings at the same time read each report once', async () => {
  const { stepReports, reader } = open()
  await stepReports.report({ id: '1-a', status: 'pass', evidence: [{ quote: 'x' }] })
  const [one, other] = await Promise.all([reader.read(), reader.read()])
  expect(one.citations).toHaveLength(1)
  expect(other).toEqual(one)
})

describe('refused reports that are contested', () => {
  const at = '2026-02-10T14:30:00.000Z'
  const report = (id: string, status: StepResult['status'], ...checks: StepResult['status'][]): StepReport => ({
    id,
    status,
    at,
    ...(checks.length > 0 && { checks: checks.map((each, index) => ({ n: index + 1, status: each })) }),
  })
  const accepted = [report('1-a', 'pass', 'pass')]

  test.for<[string, StepReport, boolean]>([
    ['the same again', report('1-a', 'pass', 'pass'), false],
    ['the same without its checks', report('1-a', 'pass'), false],
    ['another status', report('1-a', 'fail'), true],
    ['another result of a check', report('1-a', 'pass', 'fail'), true],
    ['one more check that passed', report('1-a', 'pass', 'pass', 'pass'), false],
    ['one more check that failed', report('1-a', 'pass', 'pass', 'fail'), true],
    ['a step that was never taken, which must not stand in for it', report('2-b', 'pass'), false],
    ['a failure of a step that was never taken', report('2-b', 'fail'), false],
    ['an unknown step that passed', report('x', 'pass'), false],
    ['an unknown step that failed', report('x', 'fail'), true],
  ])('%s', ([, refused, isContested]) => {
    expect(contestedReports(accepted, [refused], ['1-a', '2-b'])).toEqual(isContested ? [refused] : [])
  })
})

const passed = (more: Partial<StepResult> = {}): StepResult => ({ id: '1-a', status: 'pass', ...more })
const contested = ({ accepted, refused }: StepReports): readonly StepResult[] =>
  contestedReports(accepted, refused, ['1-a', '2-b'])

describe('reports that are refused', () => {
  test('are kept without what they cite', async () => {
    const { stepReports } = open()
    await stepReports.report({ ...passed({ evidence: ['a.png'], observed: 'x'.repeat(5_000) }), id: 'y'.repeat(5_000) })
    expect(JSON.stringify(stepReports.refused).length).toBeLessThan(1_200)
  })

  test('are a hundred at most, and none can be hidden behind others', async () => {
    const { stepReports } = open()
    await stepReports.report(passed())
    for (let n = 0; n < 1_000; n += 1) await stepReports.report(passed({ observed: `again ${n}` }))
    expect(stepReports.refused).toHaveLength(101)
    expect(contested(stepReports)).toEqual([expect.objectContaining({ id: '1-a', status: 'fail' })])
  })

  test('are compared quickly', { timeout: 60_000 }, async () => {
    const { stepReports } = open()
    const checks = Array.from({ length: 1_000 }, (_, n) => ({ n: n + 1, status: 'pass' }) as const) // see above
    await stepReports.report(passed({ checks }))
    for (let n = 0; n < 1_000; n += 1) await stepReports.report(passed({ checks, observed: `again ${n}` }))
    // Each with each would take minutes.
    expect(contested(stepReports)).not.toEqual([])
  })
})
