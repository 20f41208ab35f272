import { expect, test } from 'vitest'
import { readClaudeCalls } from '../../src/agents/claude/read-claude-calls.ts'
import { readCodexCalls } from '../../src/agents/codex/read-codex-calls.ts'
import type { DoneCall } from '../../src/agents/done-call.ts'
import { repeatableCalls } from '../../src/host/evidence/repeatable-calls.ts'

const json = (value: object): string => JSON.stringify(value)

function claudeCall(name: string, input: object, result: object, kept?: unknown): readonly string[] {
  const id = `toolu_${name}_${JSON.stringify(input)}`
  const use = { type: 'tool_use', id, name, input }
  const answer = { type: 'tool_result', tool_use_id: id, ...result }
  return [
    json({ type: 'assistant', message: { content: [use] }, parent_tool_use_id: null }),
    json({ type: 'user', message: { content: [answer] }, tool_use_result: kept }),
  ]
}

const parts = [
  { type: 'text', text: 'said hello' },
  { type: 'text', text: 'second part' },
]

test('what tools of MCP servers gave is told whole, by claude', () => {
  const stream = [
    ...claudeCall('mcp__mail__send_mail', { to: 'a@example.org' }, { content: 'said hello…' }, parts),
    ...claudeCall('mcp__playwright__browser_click', { target: 'e1' }, { content: parts, is_error: true }),
    ...claudeCall('mcp__mdtest__next_step', {}, { content: 'Go on.' }),
  ]
  expect(readClaudeCalls({ stream, transcript: [] })).toEqual([
    {
      kind: 'mcp',
      server: 'mail',
      tool: 'send_mail',
      input: { to: 'a@example.org' },
      output: 'said hello\nsecond part',
      isError: false,
    },
    {
      kind: 'mcp',
      server: 'playwright',
      tool: 'browser_click',
      input: { target: 'e1' },
      output: 'said hello\nsecond part',
      isError: true,
    },
    { kind: 'mcp', server: 'mdtest', tool: 'next_step', input: {}, output: 'Go on.', isError: false },
  ])
})

function codexItem(item: object): string {
  return json({ payload: { type: 'item_completed', item: { type: 'McpToolCall', id: '1', ...item } } })
}

test('what tools of MCP servers gave is told whole, by codex', () => {
  const call = { server: 'mail', tool: 'send', arguments: { to: 'b' }, status: 'completed', result: { content: parts } }
  const transcript = [
    codexItem(call),
    codexItem({ ...call, result: { content: parts, isError: true } }),
    codexItem({ ...call, status: 'failed', result: null, error: { message: 'no such tool' } }),
    codexItem({ ...call, server: 'mdtest', tool: 'report_step' }),
  ]
  const told = { kind: 'mcp', server: 'mail', tool: 'send', input: { to: 'b' }, output: 'said hello\nsecond part' }
  expect(readCodexCalls({ stream: [], transcript })).toEqual([
    { ...told, isError: false },
    { ...told, isError: true },
    { ...told, output: '', isError: true },
    { kind: 'report', isAccepted: true },
  ])
})

test('calls belong to the step under way; the browser is told by its server, and mdtest serves the agent alone', () => {
  const call = { kind: 'mcp', input: {}, output: '', isError: false } as const // a literal kind
  const calls: readonly DoneCall[] = [
    { ...call, server: 'playwright', tool: 'browser_click' },
    { ...call, server: 'mdtest', tool: 'next_step' },
    { kind: 'report', isAccepted: true },
    { ...call, server: 'mail', tool: 'send' },
  ]
  const paths = { cwd: '/w', specFile: '/w/a.test.md', logFile: '/w/a.logs/1.log.md' }
  const told = { input: {}, output: '', isError: false }
  expect(repeatableCalls(calls, { steps: ['1-a', '2-b'], paths })).toEqual([
    { kind: 'browser', step: '1-a', tool: 'browser_click', ...told },
    { kind: 'mcp', step: '2-b', server: 'mail', tool: 'send', ...told },
  ])
})
