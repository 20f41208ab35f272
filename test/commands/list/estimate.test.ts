import { describe, expect, test } from 'vitest'
import { estimateSpec, formatEstimate, formatTotal } from '../../../src/commands/list/estimate.ts'
import type { VerdictRecord } from '../../../src/records/verdict/verdict-record.ts'
import type { Group, Step } from '../../../src/spec/spec.ts'
import { parseSpec } from '../../../src/spec/parse-spec.ts'

type Planned = Parameters<typeof estimateSpec>[0]

const once = { repeats: { runs: 1, required: 1 } }
const plan = (text: string): Planned => ({ spec: parseSpec(text, { file: '/a.test.md' }).spec, settings: once })
const shop = plan('# Shop\n\n## Add\n\nAdd.\n\n## Buy\n\nBuy.\n\n## Later\n')
const two = plan('# Shop\n\nBuy.\n\n# Bank\n\nPay.\n')

function record(costUsd: number | undefined, changes: Partial<VerdictRecord> = {}): VerdictRecord {
  return {
    version: 1,
    spec: 'a.test.md',
    scenario: 'Shop',
    attempt: 1,
    run: '7f',
    agent: 'claude',
    startedAt: '2026-02-10T14:30:00.000Z',
    outcome: 'pass',
    steps: [
      { id: '1-add', title: 'Add', line: 3, outcome: 'pass', reasons: [], durationMs: 1 },
      { id: '2-buy', title: 'Buy', line: 7, outcome: 'pass', reasons: [], durationMs: 1 },
    ],
    usage: {
      inputTokens: 1000 * (costUsd ?? 1),
      outputTokens: 10,
      durationMs: 60_000,
      ...(costUsd !== undefined && { costUsd }),
    },
    ...changes,
  }
}

describe('an estimate', () => {
  test('is the median of the five newest passes', () => {
    const records = [5, 1, 100, 3, 4, 9000].map((costUsd) => record(costUsd))
    expect(estimateSpec(shop, records)).toEqual({
      scenarios: 1,
      replayed: 0,
      unknown: 0,
      passes: 5,
      usage: { inputTokens: 4000, outputTokens: 10, costUsd: 4, durationMs: 60_000 },
    })
    expect(estimateSpec(shop, records.slice(0, 2))?.usage?.costUsd).toBe(3)
  })

  test.for<[string, Partial<VerdictRecord>]>([
    ['a failure', { outcome: 'fail' }],
    ['another scenario', { scenario: 'Bank' }],
    ['a part of the scenario', { steps: record(1).steps.slice(0, 1) }],
  ])('does not count %s', ([, changes]) => {
    expect(estimateSpec(shop, [record(9, changes)])).toEqual({ scenarios: 1, replayed: 0, unknown: 1, passes: 0 })
    expect(estimateSpec(shop, [record(9, changes), record(2)])?.usage?.costUsd).toBe(2)
  })

  test('counts the agent that the spec names, and any for `auto`', () => {
    const by = (agent: string): Planned => ({ ...shop, spec: { ...shop.spec, agent } })
    expect(estimateSpec(by('codex'), [record(9)])?.unknown).toBe(1)
    expect(estimateSpec(by('claude'), [record(9)])?.unknown).toBe(0)
  })

  test('counts each run of a scenario that is repeated', () => {
    const repeated = { ...two, settings: { repeats: { runs: 5, required: 4 } } }
    const bank = record(2, { scenario: 'Bank' })
    expect(estimateSpec(repeated, [record(1), bank])?.usage).toMatchObject({ costUsd: 15, durationMs: 600_000 })
    const heading = plan('# Shop\n\n<!-- mdtest: repeats=3 -->\n\nBuy.\n')
    expect(estimateSpec(heading, [record(1)])?.usage?.costUsd).toBe(3)
  })

  describe('with a recording', () => {
    const steps = (addMs: number, buyMs: number, by?: 'replayed'): VerdictRecord['steps'] => {
      const [add, buy] = record(1).steps
      const source = by && ({ kind: by } as const) // a literal
      return [
        { ...add!, durationMs: addMs },
        { ...buy!, durationMs: buyMs, ...(source && { source }) },
      ]
    }
    const replaying = (...ids: readonly string[]): Planned => {
      const [scenario] = shop.spec.scenarios
      const replay = (child: Step | Group): Step | Group =>
        child.kind === 'step' && ids.includes(child.id) ? { ...child, actor: 'code', replay: 'current' } : child
      const replayed = { ...scenario!, children: scenario!.children.map(replay) }
      return { ...shop, replay: { mode: 'auto', isComplete: false, stale: {}, scenarios: { 1: replayed } } }
    }

    test('knows that what is replayed needs no model', () => {
      const all = estimateSpec(replaying('1-add', '2-buy'), [record(9)])!
      expect(all).toEqual({ scenarios: 0, replayed: 2, unknown: 0, passes: 0 })
      expect(formatEstimate(all)).toEqual(['replayed: 2 steps, no model'])
      expect(formatTotal([all, estimateSpec(shop, [])!])).toBe(
        'in all: no estimate; 1 spec without a past pass; replayed: 2 steps, no model',
      )
      expect(formatTotal([all])).toBe('in all: no spec needs an agent; replayed: 2 steps, no model')
    })

    test('takes of a pass what the agent will do again, by the times of its steps', () => {
      const plan = replaying('2-buy')
      expect(estimateSpec(plan, [record(4, { steps: steps(10, 30) })])?.usage?.costUsd).toBe(1)
      expect(estimateSpec(plan, [record(4, { steps: steps(10, 30, 'replayed') })])?.usage?.costUsd).toBe(4)
      expect(formatEstimate(estimateSpec(plan, [record(4, { steps: steps(10, 30) })])!)).toEqual([
        'replayed: 1 step, no model',
        'estimate: 1 k tokens in, 3 out, $1.00, 15s (the newest pass)',
      ])
      expect(estimateSpec(shop, [record(4, { steps: steps(10, 30, 'replayed') })])?.unknown).toBe(1)
    })

    test('asks the agent in each run of a scenario that is repeated', () => {
      const repeated = { ...replaying('1-add', '2-buy'), settings: { repeats: { runs: 2, required: 1 } } }
      expect(estimateSpec(repeated, [record(2)])).toMatchObject({ replayed: 0, usage: { costUsd: 4 } })
    })
  })

  test('is none where no agent acts', () => {
    expect(estimateSpec(plan('# A\n\n```sh verify\ntrue\n```\n'), [record(9)])).toBeUndefined()
  })

  test('adds up scenarios and says which are missing', () => {
    const bank = record(2, { scenario: 'Bank' })
    expect(estimateSpec(two, [record(1), record(1), bank])).toMatchObject({ passes: 1, usage: { costUsd: 3 } })
    expect(estimateSpec(two, [record(1)])).toMatchObject({ scenarios: 2, unknown: 1, usage: { costUsd: 1 } })
  })
})

describe('as text', () => {
  const known = estimateSpec(shop, [record(2), record(2)])!
  const partial = estimateSpec(two, [record(1)])!
  const withoutCost = estimateSpec(shop, [record(undefined)])!
  const unknown = estimateSpec(shop, [])!

  test('an estimate says what it rests on', () => {
    expect([known, partial, withoutCost, unknown].flatMap(formatEstimate)).toEqual([
      'estimate: 2 k tokens in, 10 out, $2.00, 1m 00s (median of 2 passes)',
      'estimate: 1 k tokens in, 10 out, $1.00, 1m 00s (the newest pass, without 1 of 2 scenarios, which have no past pass)',
      'estimate: 1 k tokens in, 10 out, 1m 00s (the newest pass)',
      'estimate: none, there is no past pass',
    ])
  })

  test('the total says what is not in it', () => {
    expect(formatTotal([known, partial, withoutCost, unknown])).toBe(
      'in all: 4 k tokens in, 30 out, $3.00, 3m 00s for 3 specs; 2 of them with a known cost; 1 of them known in part; 1 more without a past pass',
    )
    expect(formatTotal([unknown, unknown])).toBe('in all: no estimate; 2 specs without a past pass')
    expect(formatTotal([])).toBe('in all: no spec needs an agent')
  })
})
