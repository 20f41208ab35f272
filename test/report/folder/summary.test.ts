import { describe, expect, test } from 'vitest'
import type { RunRecord } from '../../../src/report/data/run-record.ts'
import type { ReportedStep } from '../../../src/report/data/spec-record.ts'
import { summarize, summarizeSpec, type SpecSummary } from '../../../src/report/folder/summary.ts'
import { reportedStep, richRecord, specRecord } from '../../support/report-records.ts'

const project = 'corner-shop'
const run: RunRecord = {
  startedAt: '2026-02-10T14:30:00.000Z',
  endedAt: '2026-02-10T14:31:00.000Z',
  specs: 1,
  otherTests: { pass: 2, fail: 1, skipped: 0 },
  errors: ['boom'],
}

test('a pass on a word alone and an expected failure have tones of their own', () => {
  const toneOf = (given: Partial<ReportedStep>): unknown =>
    summarizeSpec(specRecord({ steps: [reportedStep(given)] }), 'key').steps[0]?.tone
  const expected = [{ code: 'RUN_FAILED', message: 'exit code 1' }]
  expect([toneOf({ assurance: 'claimed' }), toneOf({}), toneOf({ outcome: 'fail' })]).toEqual([
    'claimed',
    'pass',
    'fail',
  ])
  expect([toneOf({ expected }), toneOf({ expected, outcome: 'fail' })]).toEqual(['expected', 'fail'])
})

describe('the summary', () => {
  test('of a spec has its steps, what it cost and why it did not pass', () => {
    const summary = summarizeSpec(richRecord('images/a.png'), 'key')
    expect(summary).toMatchObject({
      key: 'key',
      anchor: 'shop/cart.test.md',
      outcome: 'fail',
      tokens: 42_900,
      costUsd: 0.12,
      reasons: [expect.stringMatching(/^Pay by card: .*- "paid" \+ "open" \(VERIFY_FAILED\)$/)],
    })
    expect(summary.steps.map(({ outcome, assurance }) => [outcome, assurance])).toEqual([
      ['pass', 'evidenced'],
      ['fail', undefined],
      ['skipped', undefined],
    ])
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
    const by = (...kinds: readonly ('replayed' | 'agent')[]): SpecSummary =>
      summarizeSpec(specRecord({ steps: kinds.map((kind) => reportedStep({ source: { kind } })) }), 'key')
    const { sources } = summarize([by('replayed', 'agent'), by('replayed')], { run, project })
    expect(sources).toBe('2 replayed, 1 by the agent')
    expect(summarize([by('agent')], { run, project })).not.toHaveProperty('sources')
  })

  test('tells how the run ended, and how many specs it lacks', () => {
    const spec = summarizeSpec(specRecord(), 'key')
    const { startedAt, endedAt, otherTests, errors } = run
    const told = summarize([spec], { run: { ...run, specs: 3 }, project })
    expect(told).toMatchObject({ startedAt, endedAt, otherTests, errors, missing: 2 })
    const { endedAt: _endedAt, ...open } = run
    expect(summarize([spec], { run: open, project })).not.toHaveProperty('endedAt')
  })

  test('counts what failed as expected as no pass of any assurance', () => {
    const known = reportedStep({ assurance: 'verified', expected: [{ code: 'RUN_FAILED', message: 'exit code 1' }] })
    const steps = [known, reportedStep({ assurance: 'verified' })]
    const summary = summarizeSpec(specRecord({ steps }), 'key')
    expect(summary.steps.map(({ tone, assurance }) => [tone, assurance])).toEqual([
      ['expected', undefined],
      ['pass', 'verified'],
    ])
    expect(summary.tone).toBe('pass')
    expect(summarizeSpec(specRecord({ steps: [known] }), 'key').tone).toBe('expected')
  })

  test('says what was seen before the code, once for each step, and how much more there is', () => {
    const sight = 'Saw [ref=e1] a total of €27.00.'
    const failed = reportedStep({
      outcome: 'fail',
      titles: ['Shop', 'Pay'],
      said: { status: 'fail', observed: sight },
      reasons: ['STEP_FAILED', 'CHECK_FAILED'].map((code) => ({ code, message: `It says: ${sight}` })),
    })
    const summary = summarizeSpec(specRecord({ steps: Array.from({ length: 5 }, () => failed) }), 'key')
    expect(summary.reasons).toEqual(Array.from({ length: 3 }, () => 'Pay: Saw a total of €27.00. (STEP_FAILED)'))
    expect(summary.moreReasons).toBe(2)
  })

  test('has what was tested by whom, each once, and what browsers told', () => {
    const agentRun = {
      scenario: 'a',
      agent: 'browser',
      narrative: '',
      otherCalls: [],
      notes: [],
      images: [],
      files: [],
    }
    const usage = { inputTokens: 1, outputTokens: 1, durationMs: 1, model: 'model-1' }
    const requests = { count: 2, statuses: ['404'], first: [] }
    const record = specRecord({
      baseUrl: 'http://shop.test/',
      runs: [agentRun, { ...agentRun, usage }],
      steps: [reportedStep({ findings: { consoleErrors: { count: 1, first: [] }, failedRequests: requests } })],
    })
    const revision = { commit: 'abc', branch: 'main', isModified: true } as const // literals
    const specs = [summarizeSpec(record, 'a'), summarizeSpec(record, 'b')]
    const summary = summarize(specs, {
      run: { ...run, revision },
      project,
    })
    expect(summary.subject).toEqual({
      project,
      baseUrls: ['http://shop.test/'],
      agents: ['browser'],
      models: ['model-1'],
      revision,
    })
    expect(summary.specs[0]?.findings).toEqual({ consoleErrors: 1, failedRequests: 2 })
  })

  test('counts each moment once, where specs ran side by side and nobody measured the run', () => {
    const specs = ['2026-02-10T14:30:01.000Z', '2026-02-10T14:30:02.000Z'].map((startedAt) => {
      const endedAt = new Date(Date.parse(startedAt) + 10_000).toISOString()
      return summarizeSpec(specRecord({ startedAt, endedAt, durationMs: 10_000 }), startedAt)
    })
    expect(summarize(specs, { run, project }).wallTimeMs).toBe(11_000)
    expect(summarize(specs, { run: { ...run, wallTimeMs: 15_000 }, project }).wallTimeMs).toBe(15_000)
  })
})
