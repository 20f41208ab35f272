import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { AgentEvent } from '../../src/agents/agent.ts'
import { readClaudeEvents } from '../../src/agents/claude/claude-events.ts'
import { readCodexDiagnostics, readCodexEvents } from '../../src/agents/codex/codex-events.ts'
import { claudeAgent } from '../../src/agents/claude/claude-agent.ts'
import { codexAgent } from '../../src/agents/codex/codex-agent.ts'
import { mergeDenials } from '../../src/agents/agent-events.ts'

/** Events of a recorded stream, one line each; output and text are cut short. */
function readRecording(name: string): readonly string[] {
  const text = readFileSync(new URL(`../../fixtures/agent-streams/${name}.jsonl`, import.meta.url), 'utf8')
  const read = name.startsWith('claude') ? readClaudeEvents : readCodexEvents
  return text.split('\n').flatMap((line) => read(line).map(show))
}

function show({ type, ...rest }: AgentEvent): string {
  const fields = Object.entries(rest).map(([key, value]) => {
    const shown = JSON.stringify(value)
    return `${key}=${shown.length > 60 ? `${shown.slice(0, 60)}…` : shown}`
  })
  return [type, ...fields].join(' ')
}

describe('recorded streams', () => {
  test.each([
    ...['claude-pass', 'claude-denied', 'claude-command-fails', 'codex-classic-pass'],
    ...['codex-code-mode-pass', 'codex-command-fails'],
  ])('%s', (name) => {
    expect(readRecording(name)).toMatchSnapshot()
  })
})

describe('lines of claude', () => {
  const result = (fields: object): readonly AgentEvent[] =>
    readClaudeEvents(JSON.stringify({ type: 'result', ...fields }))

  test.each([
    [{ is_error: true, subtype: 'error_max_budget_usd' }, 'budget'],
    [{ is_error: true, subtype: 'success', result: 'Credit balance is too low' }, 'budget'],
    [{ is_error: true, subtype: 'success', result: 'Not logged in · Please run /login' }, 'auth'],
    [{ is_error: true, api_error_status: 403, result: 'no' }, 'auth'],
    [{ is_error: true, api_error_status: 500, result: 'authentication service down' }, 'other'],
    [{ is_error: true, subtype: 'error_during_execution' }, 'other'],
    [{ subtype: 'success' }, 'other'],
    [{ is_error: 'no', subtype: 'success' }, 'other'],
  ])('%j is an error because of %s', (fields, cause) => {
    const events = result(fields)
    expect(events).toContainEqual(expect.objectContaining({ type: 'error', cause }))
    expect(events.at(-1)).toEqual({ type: 'end', isError: true })
  })

  test.each([
    ['<synthetic>', 'API Error: Rate limit reached', ['other']],
    ['<synthetic>', 'API Error: 401 {"type":"error"} · Please run /login', ['auth']],
    ['<synthetic>', 'Credit balance is too low', ['budget']],
    ['<synthetic>', 'No response requested.', []],
    ['<synthetic>', 'Prompt is too long', ['other']],
    ['<synthetic>', 'Unable to connect', ['other']],
    ['claude-opus-5-5', 'API Error: Rate limit reached', []],
  ])('an error that its result calls a success: %s says %j', (model, said, causes) => {
    const message = { model, content: [{ type: 'text', text: said }] }
    const line = JSON.stringify({ type: 'assistant', message })
    const errors = readClaudeEvents(line).filter(({ type }) => type === 'error')
    expect(errors).toEqual(causes.map((cause) => expect.objectContaining({ cause, message: said })))
  })

  test('only an explicit `is_error: false` is a good end', () => {
    expect(result({ is_error: false, subtype: 'success' })).toEqual([{ type: 'end', isError: false }])
  })

  test.each([
    ['connected', false],
    ['pending', false],
    ['failed', true],
    ['needs-auth', true],
  ])('the report server is %s', (status, isError) => {
    const servers = [
      { name: 'other', status: 'failed' },
      { name: 'mdtest', status },
    ]
    const line = JSON.stringify({ type: 'system', subtype: 'init', mcp_servers: servers })
    const error = { type: 'error', cause: 'mcp', message: `Claude Code says of the MCP server \`mdtest\`: ${status}.` }
    expect(readClaudeEvents(line)).toEqual([{ type: 'opened' }, ...(isError ? [error] : [])])
  })

  test('counts cached input tokens as input', () => {
    const usage = { input_tokens: 1, cache_creation_input_tokens: 20, cache_read_input_tokens: 300, output_tokens: 4 }
    expect(result({ is_error: false, usage, total_cost_usd: 0.5, num_turns: 2 })[0]).toEqual({
      type: 'usage',
      inputTokens: 321,
      outputTokens: 4,
      costUsd: 0.5,
      turns: 2,
    })
  })

  test('takes the tokens of all models, which include the request that used up a budget', () => {
    const usage = { input_tokens: 0, output_tokens: 0 }
    const modelUsage = {
      'm-1': { inputTokens: 100, outputTokens: 10, cacheReadInputTokens: 1000, cacheCreationInputTokens: 2000 },
      'm-2': { inputTokens: 7, outputTokens: 8, later: {} },
    }
    expect(result({ is_error: false, usage, modelUsage })[0]).toEqual({
      type: 'usage',
      inputTokens: 3107,
      outputTokens: 18,
    })
  })

  test('says what a request used as soon as its answer begins', () => {
    const usage = { input_tokens: 5, cache_read_input_tokens: 90, output_tokens: 1 }
    const line = JSON.stringify({ type: 'assistant', message: { id: 'msg_1', content: [], usage } })
    expect(readClaudeEvents(line)).toEqual([{ type: 'tokens', id: 'msg_1', inputTokens: 95, outputTokens: 1 }])
  })

  test('joins the parts of a tool result', () => {
    const content = [
      { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 'x' }, { type: 'image' }] },
    ]
    expect(readClaudeEvents(JSON.stringify({ type: 'user', message: { content } }))).toEqual([
      { type: 'tool-result', id: 'a', isError: false, output: 'x\n' },
    ])
  })

  test('a line that is no JSON or of another type is kept as unknown, an empty one is nothing', () => {
    expect(readClaudeEvents('Warning: old')).toEqual([{ type: 'unknown', raw: 'Warning: old' }])
    expect(readClaudeEvents('{"type":"new"}')).toEqual([{ type: 'unknown', raw: '{"type":"new"}' }])
    expect(readClaudeEvents('\r')).toEqual([])
  })
})

describe('lines of codex', () => {
  const item = (fields: object): readonly AgentEvent[] =>
    readCodexEvents(JSON.stringify({ type: 'item.completed', item: { id: 'i', ...fields } }))

  test('a declined command is a denial', () => {
    expect(item({ type: 'command_execution', command: 'rm -rf x', status: 'declined' })).toEqual([
      { type: 'tool-result', id: 'i', isError: true, output: '' },
      { type: 'denial', id: 'i', what: 'rm -rf x' },
    ])
  })

  test('an MCP call that was not approved is a denial, another failure of it is not', () => {
    const call = { type: 'mcp_tool_call', server: 's', tool: 't', status: 'failed' }
    const types = (message: string): string[] => item({ ...call, error: { message } }).map(({ type }) => type)
    expect(types('MCP tool call requires approval')).toEqual(['tool-result', 'denial'])
    expect(types('boom')).toEqual(['tool-result'])
  })

  test('a notice about reconnecting is no error', () => {
    const line = '{"type":"error","message":"Reconnecting... 1/5"}'
    expect(readCodexEvents(line)).toEqual([{ type: 'unknown', raw: line }])
  })

  test.each([
    ["You've hit your usage limit. Upgrade to Pro", 'budget', undefined],
    ['unexpected status 401 Unauthorized: no', 'auth', 401],
    ['exceeded retry limit, last status: 429 Too Many Requests', 'other', 429],
    ['Missing environment variable: `OPENAI_API_KEY`.', 'auth', undefined],
    ['stream disconnected before completion', 'other', undefined],
  ])('a turn that failed with %j is an error because of %s', (message, cause, status) => {
    expect(readCodexEvents(JSON.stringify({ type: 'turn.failed', error: { message } }))).toEqual([
      { type: 'error', cause, message, ...(status === undefined ? {} : { status }) },
      { type: 'end', isError: true },
    ])
  })
})

test('codex says on standard error that the report server is out of reach', () => {
  const line = 'Error: thread/start failed: Fatal error: required MCP servers failed to initialize: mdtest: no way'
  expect(readCodexDiagnostics(line)).toEqual([
    { type: 'error', cause: 'mcp', message: 'required MCP servers failed to initialize: mdtest: no way.' },
  ])
  expect(readCodexDiagnostics(line.replace('Error:', '2026-11-22 ERROR'))).toEqual([])
  expect(readCodexDiagnostics('')).toEqual([])
})

test('mergeDenials keeps one of each refused call, the one that names a rule', () => {
  const early = { type: 'denial', id: 'a', what: 'refused' } as const
  const late = { type: 'denial', id: 'a', what: 'node x', rule: 'Bash(node *)' } as const
  const nameless = { type: 'denial', what: 'patch' } as const
  expect(mergeDenials([early, nameless, nameless, late, early])).toEqual([late, nameless, nameless])
})

describe('the notes of an interface tell when a turn is over', () => {
  test('of claude by its hooks', () => {
    const note = (name: string): string => JSON.stringify({ hook_event_name: name, session_id: 's', model: 'model-1' })
    expect(claudeAgent.interface?.readNote(note('SessionStart'))).toEqual([
      { type: 'opened', sessionId: 's', model: 'model-1' },
    ])
    expect(claudeAgent.interface?.readNote(note('Stop'))).toEqual([{ type: 'end', isError: false }])
    // A sign of life.
    expect(claudeAgent.interface?.readNote('')).toEqual([])
  })

  test('of codex by the program that it notifies', () => {
    const note = { type: 'agent-turn-complete', 'thread-id': 't', 'last-assistant-message': 'Done.' }
    expect(codexAgent.interface?.readNote(JSON.stringify(note))).toEqual([
      { type: 'opened', sessionId: 't' },
      { type: 'end', isError: false },
    ])
  })
})
