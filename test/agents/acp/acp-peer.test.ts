import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { AgentEvent } from '../../../src/agents/agent.ts'
import { freePort } from '../../support/free-port.ts'
import { leadPeer } from './lead-peer.ts'

const call = (id: string, status: string, more: object = {}): object => ({
  sessionUpdate: status === 'pending' ? 'tool_call' : 'tool_call_update',
  ...{ toolCallId: id, status, kind: 'execute', title: 'node x.mjs', rawInput: { command: 'node x.mjs' } },
  ...more,
})
const done = (id: string, output: string): object =>
  call(id, 'completed', { rawOutput: { output, metadata: { exit: 0 } } })

const shapeOf = (events: readonly AgentEvent[]): readonly string[] =>
  events.map((event) => ('id' in event ? `${event.type} ${event.id}` : event.type))
const errorsIn = (events: readonly AgentEvent[]) => events.filter((event) => event.type === 'error')

test.each(['initialize', 'session/new', 'session/prompt', 0, 1, 2])('one that dies at %j is told of', async (ends) => {
  const updates = [call('1', 'pending'), done('1', 'x'), call('2', 'pending')]
  const { events, exitCode, left } = await leadPeer({ ends, updates })
  expect(errorsIn(events)).toEqual([
    { type: 'error', cause: 'other', message: expect.stringMatching(/^OpenCode ended with exit code 7 before it/) },
  ])
  expect(events.at(-1)).toEqual({ type: 'end', isError: true })
  expect([exitCode, left]).toEqual([0, []])
})

test.each(['initialize', 'session/new', 'session/prompt'])('one that never answers `%s` is ended', async (silent) => {
  const { events, left } = await leadPeer({ silent }, {}, 3_000)
  expect(errorsIn(events)).toEqual([])
  expect(events.at(-1)).not.toEqual({ type: 'end', isError: false })
  expect(left).toEqual([])
})

test('an id that is used again is another call', async () => {
  const updates = [call('1', 'pending'), done('1', 'one'), done('1', 'late'), call('1', 'pending'), done('1', 'two')]
  const { events } = await leadPeer({
    updates,
    answer: { stopReason: 'end_turn', usage: { inputTokens: 1, outputTokens: 2 } },
  })
  expect(shapeOf(events)).toEqual([
    ...['opened', 'tool-call 1', 'tool-result 1', 'tool-call 1#2', 'tool-result 1#2', 'usage', 'end'],
  ])
})

test('a thousand calls at once', async () => {
  const many = Array.from({ length: 1000 }, (_, index) => `c${index}`)
  const updates = [...many.map((id) => call(id, 'pending')), ...many.map((id) => done(id, id))]
  const { events } = await leadPeer({ updates })
  expect(events.filter(({ type }) => type === 'tool-result')).toHaveLength(1000)
  expect(events.at(-1)).toEqual({ type: 'end', isError: false })
})

test('a turn without calls and usage is an error of the model', async () => {
  const said = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'Error: the model is gone' } }
  const { events } = await leadPeer({ updates: [said] })
  expect(errorsIn(events)).toEqual([{ type: 'error', cause: 'model', message: 'Error: the model is gone' }])
  const unauthorized = { ...said, content: { type: 'text', text: 'Error: 401 Unauthorized' } }
  expect(errorsIn((await leadPeer({ updates: [unauthorized] })).events)).toMatchObject([{ cause: 'auth', status: 401 }])
})

test('what no rule allows is refused, with the rule; the agent is told once to go on', async () => {
  const ask = (id: string, more: object): object => ({ toolCallId: id, status: 'pending', ...more })
  const asks = [
    ask('1', { kind: 'execute', title: 'node x.mjs', rawInput: { command: 'node x.mjs' } }),
    ask('2', { kind: 'edit', title: 'write', rawInput: { filePath: '/etc/motd', content: 'x' } }),
    ask('3', { kind: 'execute', title: 'npm test', rawInput: { command: 'npm test' } }),
  ]
  const { events } = await leadPeer({ asks }, { allow: ['Bash(node *)'] })
  expect(events.filter(({ type }) => type === 'denial')).toEqual([
    { type: 'denial', id: '2', what: 'write /etc/motd', rule: 'Edit(//etc/motd)' },
    { type: 'denial', id: '3', what: 'npm test', rule: 'Bash(npm *)' },
  ])
  const texts = events.flatMap((event) => (event.type === 'text' ? [event.text] : []))
  expect(texts.join('')).toContain('answer: allow_once. answer: reject_once. answer: reject_once. ')
  expect(texts.filter((text) => text.startsWith('told: That call was refused'))).toHaveLength(1)
})

test('what was told of an id earlier does not speak for what is asked under it', async () => {
  const file = join(tmpdir(), 'x')
  const updates = [
    {
      sessionUpdate: 'tool_call',
      toolCallId: '1',
      kind: 'read',
      title: 'report_step',
      status: 'pending',
      rawInput: { filePath: file },
    },
  ]
  const asks = [{ toolCallId: '1', kind: 'execute', title: 'rm -r /', rawInput: { command: 'rm -r /' } }]
  const { events } = await leadPeer({ updates, asks }, { roots: [tmpdir()] })
  expect(events.filter(({ type }) => type === 'denial')).toMatchObject([{ id: '1', what: 'rm -r /' }])
})

test('one that cannot list our tools is not prompted', async () => {
  const port = await freePort()
  const reports = { url: `http://127.0.0.1:${port}/mcp`, token: 'secret' }
  const { events, stdout } = await leadPeer({}, {}, 60_000, { reports })
  expect(events.slice(1)).toEqual([
    { type: 'error', cause: 'mcp', message: "OpenCode did not ask mdtest's server for its tools." },
    { type: 'end', isError: true },
  ])
  expect(stdout).not.toContain('secret')
})
