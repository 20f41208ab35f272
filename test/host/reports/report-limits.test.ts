import { describe, expect, test } from 'vitest'
import { StepReports } from '../../../src/host/reports/step-reports.ts'
import { contestedReports } from '../../../src/host/reports/report-reader.ts'
import type { StepResult } from '../../../src/records/result-log/result-log.ts'

const steps = ['1-a', '2-b']
const openReports = (): StepReports => new StepReports({ steps, now: () => new Date(0), maxWaitMs: 50 })
const pass = (more: Partial<StepResult> = {}): StepResult => ({ id: '1-a', status: 'pass', ...more })
const fail = { id: '1-a', status: 'fail' } as const // the status is a literal
const contested = ({ accepted, refused }: StepReports): readonly StepResult[] =>
  contestedReports(accepted, refused, steps)

describe('a report that holds too much', () => {
  const quotes = (count: number): { quote: string }[] =>
    Array.from({ length: count }, (_, n) => ({ quote: `words ${n}` }))
  const tooMuch: readonly (readonly [string, Partial<StepResult>, string])[] = [
    ['quotes', { evidence: quotes(501) }, 'it cites 501 files and quotes, more than 500; none was looked at.'],
    [
      'quotes in its checks',
      { checks: [1, 2].map((n) => ({ n, status: 'pass', evidence: quotes(251) })) },
      'it cites 502 files and quotes, more than 500',
    ],
    ['a long quote', { evidence: [{ quote: 'x'.repeat(10_001) }] }, 'a citation has more than 10000 characters'],
    ['a long name', { evidence: ['x'.repeat(10_001)] }, 'a citation has more than 10000 characters'],
    [
      'checks',
      { checks: Array.from({ length: 1_001 }, () => ({ n: 1, status: 'pass' })) },
      'it has 1001 checks, more than 1000',
    ],
    ['words', { observed: 'x'.repeat(10_001) }, 'an `observed` has more than 10000 characters'],
  ]
  test.for(tooMuch)('is refused, and comes again with less: %s', async ([, more, message]) => {
    const stepReports = openReports()
    const refused = await stepReports.report(pass(more))
    expect(refused).toEqual({
      text: expect.stringContaining(`The report of \`1-a\` was refused: ${message}`),
      isError: true,
    })
    expect(refused.text).toMatch(/Then report `1-a` again\.$/)
    await stepReports.report(pass({ evidence: quotes(500) }))
    expect(stepReports.accepted).toHaveLength(1)
    expect(contested(stepReports)).toEqual([])
  })

  test('still speaks against a later one', async () => {
    const stepReports = openReports()
    await stepReports.report({ ...fail, observed: 'x'.repeat(20_000) })
    await stepReports.report(pass())
    expect(contested(stepReports)).toEqual([expect.objectContaining({ id: '1-a', status: 'fail' })])
    const failing = { n: 1_500, status: 'fail' } as const // see above
    const checks = Array.from({ length: 1_500 }, (_, n) => ({ n: n + 1, status: 'pass' }) as const) // see above
    const other = openReports()
    await other.report(pass({ checks: [...checks, failing] }))
    await other.report(pass())
    expect(contested(other)).toEqual([expect.objectContaining({ id: '1-a', status: 'pass' })])
  })
})

describe('reports that are refused', () => {
  test('are kept without what they cite', async () => {
    const stepReports = openReports()
    await stepReports.report({ ...pass({ evidence: ['a.png'], observed: 'x'.repeat(5_000) }), id: 'y'.repeat(5_000) })
    expect(JSON.stringify(stepReports.refused).length).toBeLessThan(1_200)
  })

  test('are a hundred at most, and none can be hidden behind others', async () => {
    const stepReports = openReports()
    await stepReports.report(pass())
    for (let n = 0; n < 1_000; n += 1) await stepReports.report(pass({ observed: `again ${n}` }))
    expect(stepReports.refused).toHaveLength(101)
    expect(contested(stepReports)).toEqual([expect.objectContaining({ id: '1-a', status: 'fail' })])
  })

  test('are compared quickly', { timeout: 60_000 }, async () => {
    const stepReports = openReports()
    const checks = Array.from({ length: 1_000 }, (_, n) => ({ n: n + 1, status: 'pass' }) as const) // see above
    await stepReports.report(pass({ checks }))
    for (let n = 0; n < 1_000; n += 1) await stepReports.report(pass({ checks, observed: `again ${n}` }))
    // Each with each would take minutes.
    expect(contested(stepReports)).not.toEqual([])
  })
})
