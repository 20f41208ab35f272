import { describe, expect, test } from 'vitest'
import type { AgentEvent } from '../../src/agents/agent.ts'
import { readClaudeTranscript, transcriptPathIn } from '../../src/agents/claude/read-claude-transcript.ts'
import { readCodexTranscript } from '../../src/agents/codex/read-codex-transcript.ts'

const timestamp = '2026-02-10T14:30:00.250Z'
const endedAtMs = Date.parse(timestamp)

describe('the transcript of claude', () => {
  const read = (entry: object): readonly AgentEvent[] => readClaudeTranscript(JSON.stringify(entry))
  const note = { transcript_path: '/t.jsonl', session_id: 's', cwd: '/' }

  test('begins and ends where the hooks say so', () => {
    const start = { ...note, hook_event_name: 'SessionStart', model: 'model-1' }
    expect(read(start)).toEqual([{ type: 'opened', sessionId: 's', model: 'model-1' }])
    expect(transcriptPathIn(JSON.stringify(start))).toBe('/t.jsonl')
    expect(transcriptPathIn('{"hook_event_name":"Sess')).toBeUndefined()
    expect(read({ ...note, hook_event_name: 'Stop' })).toEqual([{ type: 'end', isError: false }])
  })

  test('tells of calls and of when they ended', () => {
    const call = { type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'ls' } }
    expect(read({ type: 'assistant', message: { content: [call] } })).toEqual([
      { type: 'tool-call', id: 't1', kind: 'command', tool: 'Bash', title: 'ls', files: [] },
    ])
    const message = { content: [{ type: 'tool_result', tool_use_id: 't1', content: 'a.txt' }] }
    expect(read({ type: 'user', timestamp, message })).toEqual([
      { type: 'tool-result', id: 't1', isError: false, output: 'a.txt', endedAtMs },
    ])
  })

  test('tells of a call that was refused, of what was used, of no access', () => {
    const message = { content: [{ type: 'tool_result', tool_use_id: 't1', is_error: true, content: 'no' }] }
    const refused = read({ type: 'user', toolDenialKind: 'user-rejected', message })
    expect(refused.map(({ type }) => type)).toEqual(['denial', 'tool-result'])
    const modelUsage = { m: { inputTokens: 3, outputTokens: 4, cacheReadInputTokens: 10 } }
    expect(read({ type: 'cost-state', totalCostUSD: 0.5, modelUsage })).toEqual([
      { type: 'usage', inputTokens: 13, outputTokens: 4, costUsd: 0.5 },
    ])
    const content = [{ type: 'text', text: 'Not logged in · Please run /login' }]
    expect(read({ type: 'assistant', isApiErrorMessage: true, message: { content } })).toContainEqual(
      expect.objectContaining({ type: 'error', cause: 'auth' }),
    )
  })

  test.each(['', '{', '{"type":"attachment"}', '[]', 'null'])('%j says nothing', (line) => {
    expect(readClaudeTranscript(line)).toEqual([])
  })
})

describe('the rollout file of codex', () => {
  test('tells of the last request and of the window, besides the sum', () => {
    const usage = (count: number): object => ({ input_tokens: count, output_tokens: 1 })
    const info = { total_token_usage: usage(900), last_token_usage: usage(600), model_context_window: 1000 }
    expect(read('event_msg', { type: 'token_count', info })).toEqual([
      { type: 'tokens', id: 'last', inputTokens: 600, outputTokens: 1 },
      { type: 'usage', inputTokens: 900, outputTokens: 1, contextWindow: 1000 },
    ])
  })

  const read = (type: string, payload: object): readonly AgentEvent[] =>
    readCodexTranscript(JSON.stringify({ timestamp, type, payload }))
  const completed = (item: object): readonly AgentEvent[] => read('event_msg', { type: 'item_completed', item })

  test('begins with the session and ends with the turn', () => {
    expect(read('session_meta', { id: 's' })).toEqual([{ type: 'opened', sessionId: 's' }])
    expect(read('turn_context', { model: 'm' })).toEqual([{ type: 'opened', model: 'm' }])
    expect(read('event_msg', { type: 'task_complete' })).toEqual([{ type: 'end', isError: false }])
    expect(read('event_msg', { type: 'turn_aborted' })).toEqual([{ type: 'end', isError: true }])
  })

  test('tells of commands, patches and what was said, as `codex exec --json` does', () => {
    const command = { type: 'CommandExecution', id: 'c', command: ['/bin/bash', '-lc', 'ls -a'], status: 'completed' }
    expect(completed({ ...command, aggregated_output: 'a.txt\n', exit_code: 0 })).toEqual([
      { type: 'tool-call', id: 'c', kind: 'command', tool: 'command_execution', title: 'ls -a', files: [] },
      { type: 'tool-result', id: 'c', isError: false, output: 'a.txt\n', exitCode: 0, endedAtMs },
    ])
    const change = { type: 'FileChange', id: 'f', changes: { '/a': { type: 'add', content: '' } }, status: 'completed' }
    expect(completed(change)[0]).toMatchObject({ kind: 'file', title: 'add /a', files: ['/a'] })
    expect(completed({ type: 'AgentMessage', id: 'm', content: [{ type: 'Text', text: 'Done.' }] })).toEqual([
      { type: 'text', text: 'Done.' },
    ])
    const info = { total_token_usage: { input_tokens: 7, output_tokens: 2 } }
    expect(read('event_msg', { type: 'token_count', info })).toEqual([
      { type: 'usage', inputTokens: 7, outputTokens: 2 },
    ])
  })

  test('shows a report while it waits for its answer', () => {
    const call = { type: 'function_call', call_id: 'r', name: 'report_step', namespace: 'mcp__mdtest', arguments: '{}' }
    const seen = { type: 'tool-call', id: 'r', tool: 'mcp__mdtest__report_step' }
    expect(read('response_item', call)).toEqual([expect.objectContaining(seen)])
    const item = { type: 'McpToolCall', id: 'r', server: 'mdtest', tool: 'report_step', status: 'completed' }
    expect(completed(item)).toEqual([expect.objectContaining(seen), expect.objectContaining({ type: 'tool-result' })])
  })

  test.each(['', '{', '{"type":"world_state"}', '[]', '{"type":"event_msg","payload":{"type":"other"}}'])(
    '%j says nothing that counts',
    (line) => {
      expect(readCodexTranscript(line).filter(({ type }) => type !== 'unknown')).toEqual([])
    },
  )
})
