import { describe, expect, test } from 'vitest'
import { describeUsedUp, remainingCostUsd, BudgetWatch, Spending } from '../../../src/host/agent-run/budget.ts'
import type { AgentEvent } from '../../../src/agents/agent.ts'

const spent = (tokens: number, costUsd?: number): Parameters<typeof describeUsedUp>[0] => ({
  inputTokens: tokens,
  outputTokens: 0,
  ...(costUsd !== undefined && { costUsd }),
})

describe('a budget', () => {
  test.each([
    [{ maxTokens: 100 }, spent(100), undefined],
    [{ maxTokens: 100 }, spent(123), 'this scenario has used 123 tokens, 23 over `maxTokens` (100).'],
    [{ maxCostUsd: 0.3 }, spent(9, 0.1 + 0.2), undefined],
    [{ maxCostUsd: 0.3 }, spent(9, 0.35), 'this scenario has cost $0.35, $0.05 over `maxCostUsd` ($0.30).'],
    [{ maxCostUsd: 0.3 }, spent(9), undefined],
    [{}, spent(1e9, 1e9), undefined],
  ])('%j of a scenario', (scenario, used, message) => {
    const watch = new BudgetWatch({ scenario, run: {} }, new Spending())
    watch.onEvent({ type: 'usage', ...used })
    expect(watch.overrunMessage?.replace(/ Raise .*/, '')).toBe(message)
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

const tokens = (id: string, inputTokens: number): AgentEvent => ({ type: 'tokens', id, inputTokens, outputTokens: 0 })
const refusal: AgentEvent = { type: 'error', cause: 'budget', message: 'over' }

test('is over its budget once more is used than allowed, and says what was used then', () => {
  const watch = new BudgetWatch({ scenario: { maxTokens: 100 }, run: {} }, new Spending())
  watch.onEvent(tokens('a', 100))
  expect([watch.signal.aborted, watch.overrunMessage]).toEqual([false, undefined])
  watch.onEvent(tokens('b', 20))
  watch.onEvent(tokens('c', 30))
  expect(watch.signal.aborted).toBe(true)
  expect(watch.overrunMessage).toContain('has used 120 tokens, 20 over `maxTokens` (100)')
})

test('is over its budget at the limit where the agent says so itself', () => {
  const watch = new BudgetWatch({ scenario: { maxTokens: 100 }, run: {} }, new Spending())
  watch.onEvent(tokens('a', 100))
  watch.onEvent(refusal)
  expect(watch.signal.aborted).toBe(true)
  const paid = new BudgetWatch({ scenario: { maxCostUsd: 0.3 }, run: {} }, new Spending())
  paid.onEvent({ type: 'usage', inputTokens: 9, outputTokens: 0, costUsd: 0.1 + 0.2 })
  paid.onEvent(refusal)
  expect(paid.overrunMessage).toContain('has cost $0.30, all of `maxCostUsd` ($0.30)')
})

test('counts for its run from its start, together with the other agents', () => {
  const spending = new Spending()
  spending.open('another')({ inputTokens: 90, outputTokens: 0 })
  const watch = new BudgetWatch({ scenario: {}, run: { maxTokens: 100 } }, spending)
  watch.begin('this')
  expect(spending.total.agents).toBe(2)
  watch.onEvent(tokens('a', 11))
  expect(watch.signal.aborted).toBe(true)
  expect(watch.overrunMessage).toContain('the run has used 101 tokens')
})

describe('the meter', () => {
  function spentAfter(...events: readonly AgentEvent[]): BudgetWatch['spent'] {
    const meter = new BudgetWatch({ scenario: {}, run: {} }, new Spending())
    for (const event of events) meter.onEvent(event)
    return meter.spent
  }

  const request = (id: string, inputTokens: number): AgentEvent => ({
    type: 'tokens',
    id,
    inputTokens,
    outputTokens: 1,
  })

  test('counts each request once while the agent works', () => {
    expect(spentAfter(request('a', 100), request('a', 100), request('b', 30))).toEqual({
      inputTokens: 130,
      outputTokens: 2,
    })
  })

  test('takes the last total in place of the requests and of earlier totals', () => {
    const total = (inputTokens: number, costUsd: number): AgentEvent => ({
      type: 'usage',
      inputTokens,
      outputTokens: 9,
      costUsd,
      turns: 2,
    })
    expect(spentAfter(request('a', 100), total(110, 0.1), request('b', 5), total(200, 0.3))).toEqual({
      inputTokens: 200,
      outputTokens: 9,
      costUsd: 0.3,
      turns: 2,
    })
  })

  test('knows the model of the session', () => {
    expect(spentAfter({ type: 'opened', model: 'm-1' }, { type: 'opened', model: 'm-2' })).toEqual({
      inputTokens: 0,
      outputTokens: 0,
      model: 'm-1',
    })
  })
})

const none = { scenarios: 0, agents: 0, inputTokens: 0, outputTokens: 0, withoutCost: 0 }

test('counts scenarios once and every agent, and of each the last that it tells', () => {
  const spending = new Spending()
  expect(spending.total).toEqual(none)
  const account = spending.open('a')
  account({ inputTokens: 99, outputTokens: 9, costUsd: 9 })
  account({ inputTokens: 10, outputTokens: 1, costUsd: 0.5 })
  spending.open('a')({ inputTokens: 20, outputTokens: 2, costUsd: 0.25 })
  spending.open('b')({ inputTokens: 40, outputTokens: 4 })
  expect(spending.total).toEqual({
    scenarios: 2,
    agents: 3,
    inputTokens: 70,
    outputTokens: 7,
    costUsd: 0.75,
    withoutCost: 1,
  })
})

test('what an agent of an earlier run writes does not count for the next', () => {
  const spending = new Spending()
  const account = spending.open('a')
  spending.reset()
  account({ inputTokens: 10, outputTokens: 1 })
  expect(spending.total).toEqual(none)
})
