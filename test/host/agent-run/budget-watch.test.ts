import { expect, test, describe } from 'vitest'
import type { AgentEvent } from '../../../src/agents/agent.ts'
import { BudgetWatch, UsageMeter } from '../../../src/host/agent-run/budget-watch.ts'
import { Spending } from '../../../src/host/agent-run/spending.ts'

const tokens = (id: string, inputTokens: number): AgentEvent => ({ type: 'tokens', id, inputTokens, outputTokens: 0 })
const refusal: AgentEvent = { type: 'error', cause: 'budget', message: 'over' }

test('is over its budget once more is used than allowed, and says what was used then', () => {
  const watch = new BudgetWatch({ budgets: { scenario: { maxTokens: 100 }, run: {} }, spending: new Spending() })
  watch.onEvent(tokens('a', 100))
  expect([watch.signal.aborted, watch.overrunMessage]).toEqual([false, undefined])
  watch.onEvent(tokens('b', 20))
  watch.onEvent(tokens('c', 30))
  expect(watch.signal.aborted).toBe(true)
  expect(watch.overrunMessage).toContain('has used 120 tokens, 20 over `maxTokens` (100)')
})

test('is over its budget at the limit where the agent says so itself', () => {
  const watch = new BudgetWatch({ budgets: { scenario: { maxTokens: 100 }, run: {} }, spending: new Spending() })
  watch.onEvent(tokens('a', 100))
  watch.onEvent(refusal)
  expect(watch.signal.aborted).toBe(true)
})

test('counts for its run from its start, together with the other agents', () => {
  const spending = new Spending()
  spending.open('another').write({ inputTokens: 90, outputTokens: 0 })
  const watch = new BudgetWatch({ budgets: { scenario: {}, run: { maxTokens: 100 } }, spending })
  watch.begin('this')
  expect(spending.total.agents).toBe(2)
  watch.onEvent(tokens('a', 11))
  expect(watch.signal.aborted).toBe(true)
  expect(watch.overrunMessage).toContain('the run has used 101 tokens')
})

describe('the meter', () => {
  function spentAfter(...events: readonly AgentEvent[]): UsageMeter['spent'] {
    const meter = new UsageMeter()
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
