import { describe, expect, test } from 'vitest'
import type { AcpTask, GateRules } from '../../../src/agents/acp/acp-task.ts'
import { leadPeer } from './lead-peer.ts'

const usage = { inputTokens: 1, outputTokens: 2 }
const answer = { stopReason: 'end_turn', usage }
const ended = { type: 'end', isError: false }
const call = (id: string): object => ({
  ...{ sessionUpdate: 'tool_call_update', toolCallId: id, kind: 'execute', title: 'node x.mjs', status: 'completed' },
  ...{ rawInput: { command: 'node x.mjs' }, rawOutput: { output: 'x', metadata: { exit: 0 } } },
})

describe('one that takes no MCP servers', () => {
  const script = { version: 2, mcp: {}, tellsPlace: true, answer }
  const reports = { url: 'http://127.0.0.1:9/mcp', token: 't' }

  test('gets none, and is told to write the log', async () => {
    const { events } = await leadPeer(script, {}, 60_000, { reports })
    expect(events.filter(({ type }) => type === 'text')).toEqual([
      { type: 'text', text: '0 servers. You have no tool `report_step`: write the result log.' },
    ])
    expect(events.at(-1)).toEqual(ended)
  })

  test.each<[string, Partial<GateRules>, Partial<AcpTask>, string]>([
    ['attached servers', {}, { mcpServers: { shelf: { url: 'http://127.0.0.1:9/' } } }, 'the spec needs `shelf`'],
    ['hands of mdtest', { isLookingOnly: true }, {}, '`hands: mdtest` needs one'],
  ])('cannot carry out what needs %s', async (_, gate, more, why) => {
    const { events } = await leadPeer(script, gate, 60_000, { reports, ...more })
    const message = expect.stringContaining(why) as string // a matcher stands for a text
    expect(events).toEqual([
      { type: 'error', cause: 'mcp', message },
      { type: 'end', isError: true },
    ])
  })

  test('or none that are programs, gets no program', async () => {
    const mcpServers = { shelf: { command: 'shelf' } }
    const { events } = await leadPeer({ ...script, mcp: { http: {} } }, {}, 60_000, { mcpServers })
    expect(events[0]).toMatchObject({ cause: 'mcp', message: expect.stringContaining('`shelf` is a program') })
  })
})

test('what comes after the end of a turn is not told behind the end', async () => {
  const { events } = await leadPeer({ updates: [call('1')], later: [call('2'), call('3')], answer })
  expect(events.at(-1)).toEqual(ended)
  expect(events.filter(({ type }) => type === 'end')).toHaveLength(1)
})

test('files and terminals of ours are none of the agent', async () => {
  const calls = [
    ['fs/read_text_file', { sessionId: 's1', path: '/etc/passwd' }],
    ['fs/write_text_file', { sessionId: 's1', path: '/tmp/x', content: 'x' }],
    ['terminal/create', { sessionId: 's1', command: 'id' }],
  ]
  const { events } = await leadPeer({ calls, answer })
  expect(events.filter(({ type }) => type === 'text')).toEqual([
    {
      type: 'text',
      text: 'fs/read_text_file: -32601. fs/write_text_file: -32601. terminal/create: -32601. ',
    },
  ])
  expect(events.at(-1)).toEqual(ended)
})

test('a message of 100 MB is an error, and nothing is left', { timeout: 60_000 }, async () => {
  const { events, exitCode, left } = await leadPeer({ padBytes: 100 * 1024 * 1024, answer })
  expect(events.at(-1)).toEqual({ type: 'end', isError: true })
  expect(events.filter(({ type }) => type === 'tool-result')).toEqual([])
  expect([exitCode, left]).toEqual([0, []])
})

test('one that ends by no signal is ended all the same', async () => {
  const { events, exitCode, left } = await leadPeer({ isStubborn: true, updates: [call('1')], answer })
  expect(events.at(-1)).toEqual(ended)
  expect([exitCode, left]).toEqual([0, []])
})
