import { describe, expect, test } from 'vitest'
import type { RunRecord } from '../../../src/report/records/run-record.ts'
import { summarize, summarizeSpec, type SpecSummary } from '../../../src/report/folder/summary.ts'
import { reportedStep, richRecord, specRecord } from '../../support/report-records.ts'

const run: RunRecord = {
  version: 1,
  id: '5f0c3b1e-0000-4000-8000-000000000001',
  startedAt: '2026-02-10T14:30:00.000Z',
  endedAt: '2026-02-10T14:31:00.000Z',
  specs: 1,
  otherTests: { pass: 2, fail: 1, skipped: 0 },
  errors: ['boom'],
}

describe('the summary', () => {
  test('of a spec has its steps, what it cost and why it did not pass', () => {
    const summary = summarizeSpec(richRecord('images/a.png'), 'key')
    expect(summary).toMatchObject({
      key: 'key',
      anchor: 'shop/cart.test.md',
      outcome: 'fail',
      tokens: 42_900,
      costUsd: 0.12,
      assurances: { evidenced: 1 },
      reasons: [expect.stringMatching(/^VERIFY_FAILED: .*- "paid" \+ "open"$/)],
    })
    expect(summary.steps.map(({ outcome }) => outcome)).toEqual(['pass', 'fail', 'skipped'])
  })

  test('keeps little of a spec, however long its reasons are', () => {
    const reasons = Array.from({ length: 50 }, () => ({ code: 'STEP_FAILED', message: 'x'.repeat(100_000) }))
    const record = specRecord({ steps: [reportedStep({ outcome: 'fail', reasons })] })
    expect(JSON.stringify(summarizeSpec(record, 'key')).length).toBeLessThan(2000)
  })

  test('of a spec of another project has an address of its own', () => {
    expect(summarizeSpec(specRecord({ project: 'docs' }), 'key').anchor).toBe('docs:shop.test.md')
  })

  test('counts who carried out the steps, where recordings had a part in it', () => {
    const by = (...kinds: readonly ('replayed' | 'agent' | 'recorded')[]): SpecSummary =>
      summarizeSpec(specRecord({ steps: kinds.map((kind) => reportedStep({ source: { kind } })) }), 'key')
    const { sources } = summarize([by('replayed', 'agent'), by('recorded', 'replayed')], [run])
    expect(sources).toBe('2 replayed, 1 recorded, 1 by the agent')
    expect(summarize([by('agent')], [run])).not.toHaveProperty('sources')
  })

  test('of several runs adds up, and ends with the last of them', () => {
    const other = { ...run, startedAt: '2026-02-10T14:29:00.000Z', endedAt: '2026-02-10T14:35:00.000Z', errors: [] }
    const spec = summarizeSpec(specRecord(), 'key')
    expect(summarize([spec], [run, other])).toMatchObject({
      startedAt: other.startedAt,
      endedAt: other.endedAt,
      otherTests: { pass: 4, fail: 2 },
      errors: ['boom'],
      missing: 1,
    })
    const { endedAt: _endedAt, ...open } = run
    expect(summarize([spec], [run, open])).not.toHaveProperty('endedAt')
    expect(summarize([spec], [])).not.toHaveProperty('startedAt')
  })
})
