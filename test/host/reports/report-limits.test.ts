import { describe, expect, test } from 'vitest'
import { StepReports } from '../../../src/host/reports/step-reports.ts'
import { contestedReports } from '../../../src/host/reports/report-reader.ts'
import type { StepResult } from '../../../src/records/result-log/result-log.ts'

const steps = ['1-a', '2-b']
const openReports = (): StepReports => new StepReports({ steps, now: () => new Date(0), maxWaitMs: 50 })
const pass = (more: Partial<StepResult> = {}): StepResult => ({ id: '1-a', status: 'pass', ...more })
const contested = ({ accepted, refused }: StepReports): readonly StepResult[] =>
  contestedReports(accepted, refused, steps)

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
