import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { AgentEvent } from '../../src/agents/agent.ts'
import { AgentTranscript, readCall, type CallUsage } from '../../src/agents/agent-transcript.ts'
import { claudeAgent } from '../../src/agents/claude/claude-agent.ts'
import { codexAgent } from '../../src/agents/codex/codex-agent.ts'
import { createCommandAgent } from '../../src/agents/command/command-agent.ts'

const tokens = (inputTokens: number, more: { isOfHelper?: true } = {}): AgentEvent => ({
  type: 'tokens',
  id: 'm',
  inputTokens,
  outputTokens: 0,
  ...more,
})
const used = (costUsd?: number, contextWindow?: number): AgentEvent => ({
  type: 'usage',
  inputTokens: 5000,
  outputTokens: 0,
  ...(costUsd !== undefined && { costUsd }),
  ...(contextWindow !== undefined && { contextWindow }),
})
const nothing = { isCostTold: false, contextUtilization: null }

test.for<[string, readonly AgentEvent[], CallUsage]>([
  ['nothing', [], nothing],
  [
    'the last request counts, not the sum, and none that failed or was another agent’s',
    [tokens(100), tokens(600), tokens(900, { isOfHelper: true }), tokens(0), used(0.5, 1000)],
    { sessionCostUsd: 0.5, isCostTold: true, contextUtilization: 0.6 },
  ],
  [
    'without a window nothing is known',
    [tokens(600), used(0.5)],
    { sessionCostUsd: 0.5, isCostTold: true, contextUtilization: null },
  ],
  ['a cost from before the last request is none', [tokens(600), used(0.25), tokens(700)], nothing],
])('%s', ([, events, usage]) => {
  const transcript = new AgentTranscript()
  for (const event of events) transcript.onEvent(event)
  expect(transcript.usage({ agent: createCommandAgent(['a']), env: {} })).toEqual(usage)
})

/** A home with files of JSON lines. */
function useHome(files: Readonly<Record<string, readonly object[]>>): string {
  const home = mkdtempSync(join(tmpdir(), 'mdtest-home-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  for (const [name, lines] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true })
    const prefix = name.endsWith('raw.log') ? 'out| ' : ''
    writeFileSync(join(home, name), lines.map((line) => `${prefix}${JSON.stringify(line)}\n`).join(''))
  }
  return home
}

const usage = { input_tokens: 1000, output_tokens: 1 }
const answer = { type: 'assistant', message: { id: 'm', content: [], usage } }
const cost = { type: 'cost-state', totalCostUSD: 0.5, modelUsage: { m: { inputTokens: 1000, outputTokens: 9 } } }
const opened = { type: 'system', subtype: 'init', session_id: 's-1' }

test('of a call of Claude Code that nobody heard to its end the file of its session tells the cost', () => {
  const file = '.claude/projects/-home-me/s-1.jsonl'
  const home = useHome({ 'call/raw.log': [opened, answer], [file]: [answer, cost] })
  const read = (): object => readCall(join(home, 'call'), { agent: claudeAgent, env: { HOME: home } })
  expect(read()).toEqual({ sessionId: 's-1', sessionCostUsd: 0.5, isCostTold: false, contextUtilization: null })
  // It was killed before it could write another one.
  writeFileSync(join(home, file), [answer, cost, answer].map((line) => `${JSON.stringify(line)}\n`).join(''))
  expect(read()).toEqual({ sessionId: 's-1', ...nothing })
})

test('of one that it heard, the stream', () => {
  const end = { type: 'result', is_error: false, total_cost_usd: 0.25, modelUsage: { m: { contextWindow: 2002 } } }
  const home = useHome({ 'call/raw.log': [opened, answer, end] })
  expect(readCall(join(home, 'call'), { agent: claudeAgent, env: { HOME: home } })).toEqual({
    sessionId: 's-1',
    sessionCostUsd: 0.25,
    isCostTold: true,
    contextUtilization: 0.5,
  })
})

test('codex keeps its window in the folder of the day on which the session began', () => {
  const info = { total_token_usage: usage, last_token_usage: usage, model_context_window: 4004 }
  const home = useHome({
    'call/raw.log': [{ type: 'thread.started', thread_id: 't-1' }],
    'codex/sessions/2026/01/02/rollout-2026-01-02T03-04-05-t-1.jsonl': [
      { timestamp: '2026-01-02T03:04:05Z', type: 'event_msg', payload: { type: 'token_count', info } },
    ],
  })
  const env = { CODEX_HOME: join(home, 'codex') }
  expect(readCall(join(home, 'call'), { agent: codexAgent, env })).toEqual({
    sessionId: 't-1',
    isCostTold: false,
    contextUtilization: 0.25,
  })
})

test('nothing is known of any other program, or without files', () => {
  const home = useHome({ 'call/raw.log': [opened] })
  const env = { HOME: join(home, 'none') }
  expect(readCall(join(home, 'call'), { agent: createCommandAgent(['a']), env })).toEqual(nothing)
  expect(readCall(join(home, 'none'), { agent: codexAgent, env })).toEqual(nothing)
  expect(readCall(join(home, 'call'), { agent: claudeAgent, env })).toEqual({ sessionId: 's-1', ...nothing })
})
