import { describe, expect, test } from 'vitest'
import type { ToolCall } from '../../../src/agents/agent.ts'
import { readClaudeEvents } from '../../../src/agents/claude/claude-events.ts'
import { readCodexEvents } from '../../../src/agents/codex/codex-events.ts'
import { ActsPastExecutor } from '../../../src/host/evidence/agents-own-files.ts'

type Call = Pick<ToolCall, 'kind' | 'tool'> & Partial<ToolCall>

function messageOf(call: Call, result: { readonly isError: boolean; readonly exitCode?: number }): string | undefined {
  const acts = new ActsPastExecutor()
  acts.onEvent({ type: 'tool-call', id: '1', title: 'x', files: [], ...call })
  return acts.onEvent({ type: 'tool-result', id: '1', output: '', ...result })?.message
}

const bash: Call = { kind: 'command', tool: 'Bash' }
const edit: Call = { kind: 'file', tool: 'Write', use: 'edit' }

describe('an agent whose executor are of mdtest has acted past them', () => {
  test.each<[string, Call, Parameters<typeof messageOf>[1]]>([
    ['by a command', bash, { isError: false }],
    ['by a command that failed', bash, { isError: true, exitCode: 1 }],
    ['by an edit', edit, { isError: false }],
    ['by a server of its own', { kind: 'mcp', tool: 'mcp__files__write' }, { isError: false }],
    ['by a browser of its own', { kind: 'browser', tool: 'mcp__playwright__click' }, { isError: false }],
  ])('%s', (_, call, result) => {
    expect(messageOf(call, result)).toBe(`it called \`${call.tool}\` (x).`)
  })
})

describe('it has not', () => {
  test.each<[string, Call, Parameters<typeof messageOf>[1]]>([
    ['by a command whose tool is off', bash, { isError: true }],
    ['by an edit that failed', edit, { isError: true }],
    ['by looking', { kind: 'file', tool: 'Read', use: 'numbered' }, { isError: false }],
    ["by mdtest's tools", { kind: 'mcp', tool: 'mcp__mdtest__run' }, { isError: false }],
    ['by keeping a list', { kind: 'other', tool: 'TodoWrite', use: 'housekeeping' }, { isError: false }],
  ])('%s', (_, call, result) => {
    expect(messageOf(call, result)).toBeUndefined()
  })

  test('by a call that was refused', () => {
    const acts = new ActsPastExecutor()
    acts.onEvent({ type: 'tool-call', id: '1', title: 'x', files: [], ...bash })
    acts.onEvent({ type: 'denial', id: '1', what: 'x' })
    expect(acts.onEvent({ type: 'tool-result', id: '1', output: '', isError: false })).toBeUndefined()
  })
})

test('it is seen in the streams of both CLIs', () => {
  const call = { type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'ls' } }
  const result = { type: 'tool_result', tool_use_id: 't1', content: 'a' }
  const item = { id: 'i1', type: 'command_execution', command: 'ls', aggregated_output: 'a', exit_code: 0 }
  const lines = [
    ...[
      { type: 'assistant', message: { content: [call] } },
      { type: 'user', message: { content: [result] } },
    ],
    ...[
      { type: 'item.started', item },
      { type: 'item.completed', item },
    ],
  ].map((each) => JSON.stringify(each))
  const acts = new ActsPastExecutor()
  const found = lines
    .flatMap((line) => [...readClaudeEvents(line), ...readCodexEvents(line)])
    .flatMap((event) => acts.onEvent(event) ?? [])
  expect(found.map(({ message }) => message)).toEqual(['it called `Bash` (ls).', 'it called `command_execution` (ls).'])
})
