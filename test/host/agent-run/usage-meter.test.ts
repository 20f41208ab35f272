import { expect, test } from 'vitest'
import type { AgentEvent } from '../../../src/agents/agent.ts'
import { UsageMeter } from '../../../src/host/agent-run/usage-meter.ts'

function spentAfter(...events: readonly AgentEvent[]): UsageMeter['spent'] {
  const meter = new UsageMeter()
  for (const event of events) meter.onEvent(event)
  return meter.spent
}

const request = (id: string, inputTokens: number): AgentEvent => ({ type: 'tokens', id, inputTokens, outputTokens: 1 })

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
