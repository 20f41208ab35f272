import { expect, test } from 'vitest'
import { leadPeer } from './lead-peer.ts'

const usage = { inputTokens: 1, outputTokens: 2 }
const answer = { stopReason: 'end_turn', usage }
const ended = { type: 'end', isError: false }
const call = (id: string): object => ({
  ...{ sessionUpdate: 'tool_call_update', toolCallId: id, kind: 'execute', title: 'node x.mjs', status: 'completed' },
  ...{ rawInput: { command: 'node x.mjs' }, rawOutput: { output: 'x', metadata: { exit: 0 } } },
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
