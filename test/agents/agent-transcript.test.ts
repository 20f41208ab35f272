import { expect, test } from 'vitest'
import type { AgentEvent } from '../../src/agents/agent.ts'
import { AgentTranscript, type CallUsage } from '../../src/agents/agent-transcript.ts'

const tokens = (inputTokens: number, more: { isOfHelper?: true } = {}): AgentEvent => ({
  type: 'tokens',
  id: 'm',
  inputTokens,
  outputTokens: 0,
  ...more,
})
const usage = (costUsd?: number, contextWindow?: number): AgentEvent => ({
  type: 'usage',
  inputTokens: 5000,
  outputTokens: 0,
  ...(costUsd !== undefined && { costUsd }),
  ...(contextWindow !== undefined && { contextWindow }),
})
const transcript = (...events: readonly AgentEvent[]): AgentTranscript => {
  const all = new AgentTranscript()
  for (const event of events) all.onEvent(event)
  return all
}

interface Case {
  readonly title: string
  readonly said: readonly AgentEvent[]
  readonly kept?: readonly AgentEvent[]
  readonly used: CallUsage
}

const cases: readonly Case[] = [
  { title: 'nothing', said: [], used: { isCostTold: false, contextUtilization: null } },
  {
    title: 'the last request counts, not the sum, and none that failed or was another agent’s',
    said: [tokens(100), tokens(600), tokens(900, { isOfHelper: true }), tokens(0), usage(0.5, 1000)],
    used: { sessionCostUsd: 0.5, isCostTold: true, contextUtilization: 0.6 },
  },
  {
    title: 'without a window nothing is known',
    said: [tokens(600), usage(0.5)],
    used: { sessionCostUsd: 0.5, isCostTold: true, contextUtilization: null },
  },
  {
    title: 'a program that tells a sum alone has a transcript that tells more',
    said: [usage()],
    kept: [tokens(700), usage(undefined, 1000)],
    used: { isCostTold: false, contextUtilization: 0.7 },
  },
  {
    title: 'of a stream that was cut off the transcript knows the cost, in part',
    said: [tokens(600)],
    kept: [tokens(600), usage(0.25)],
    used: { sessionCostUsd: 0.25, isCostTold: false, contextUtilization: null },
  },
  {
    title: 'a cost from before the last request is none',
    said: [tokens(600)],
    kept: [tokens(600), usage(0.25), tokens(700)],
    used: { isCostTold: false, contextUtilization: null },
  },
]

test.for(cases)('$title', ({ said, kept, used }) => {
  expect(transcript(...said).usageWith(kept && transcript(...kept))).toEqual(used)
})
