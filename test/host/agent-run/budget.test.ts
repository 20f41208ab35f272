import { describe, expect, test } from 'vitest'
import { describeOverrun, describeUsedUp, remainingCostUsd } from '../../../src/host/agent-run/budget.ts'

const spent = (tokens: number, costUsd?: number): Parameters<typeof describeUsedUp>[0] => ({
  inputTokens: tokens,
  outputTokens: 0,
  ...(costUsd !== undefined && { costUsd }),
})
const nothing = spent(0)

describe('a budget', () => {
  test.each([
    [{ maxTokens: 100 }, spent(100), undefined],
    [{ maxTokens: 100 }, spent(123), 'this scenario has used 123 tokens, 23 over `maxTokens` (100).'],
    [{ maxCostUsd: 0.3 }, spent(9, 0.1 + 0.2), undefined],
    [{ maxCostUsd: 0.3 }, spent(9, 0.35), 'this scenario has cost $0.35, $0.05 over `maxCostUsd` ($0.30).'],
    [{ maxCostUsd: 0.3 }, spent(9), undefined],
    [{}, spent(1e9, 1e9), undefined],
  ])('%j of a scenario', (scenario, used, message) => {
    const told = describeOverrun({ scenario: used, run: nothing }, { budgets: { scenario, run: {} }, when: 'passed' })
    expect(told?.replace(/ Raise .*/, '')).toBe(message)
  })

  test('of a run counts what all agents used', () => {
    const budgets = { scenario: { maxTokens: 1000 }, run: { maxTokens: 500 } }
    expect(describeOverrun({ scenario: spent(300), run: spent(600) }, { budgets, when: 'passed' })).toContain(
      'the run has used 600 tokens, 100 over `maxRunTokens` (500).',
    )
  })

  test('that is used up to the last can be told from one that is passed', () => {
    const budgets = { scenario: { maxCostUsd: 0.3 }, run: {} }
    const used = { scenario: spent(9, 0.1 + 0.2), run: nothing }
    expect(describeOverrun(used, { budgets, when: 'reached' })).toContain('has cost $0.30, all of `maxCostUsd` ($0.30)')
    expect(describeOverrun(used, { budgets, when: 'passed' })).toBeUndefined()
  })

  test('of a run that is used up lets no further agent start', () => {
    expect(describeUsedUp(spent(99), { maxTokens: 100 })).toBeUndefined()
    expect(describeUsedUp(spent(100), { maxTokens: 100 })).toContain('No agent was started: the run has used 100')
    expect(describeUsedUp(spent(0, 0.52), { maxCostUsd: 0.5 })).toContain('$0.02 over `maxRunCostUsd` ($0.50)')
    expect(describeUsedUp(spent(1e9, 1e9), {})).toBeUndefined()
  })

  test('leaves an agent the smaller of its own and what is left of the run', () => {
    const left = (maxCostUsd?: number, run?: number): number | undefined =>
      remainingCostUsd({ scenario: { maxCostUsd }, run: { maxCostUsd: run } }, spent(1, 0.75))
    expect(left()).toBeUndefined()
    expect(left(0.5)).toBe(0.5)
    expect(left(0.5, 1)).toBe(0.25)
    expect(left(0.125, 1)).toBe(0.125)
    expect(left(undefined, 1)).toBe(0.25)
  })
})
