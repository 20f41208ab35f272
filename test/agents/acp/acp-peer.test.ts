import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { AgentEvent, AgentRequest } from '../../../src/agents/agent.ts'
import { explainMissingServer } from '../../../src/agents/acp/program/mcp-servers.ts'
import { openConnection } from '../../../src/agents/acp/program/open-connection.ts'
import { agentRequest } from '../test-agent.ts'
import { leadPeer, peerTask } from './lead-peer.ts'

const call = (id: string, status: string, more: object = {}): object => ({
  sessionUpdate: status === 'pending' ? 'tool_call' : 'tool_call_update',
  ...{ toolCallId: id, status, kind: 'execute', title: 'node x.mjs', rawInput: { command: 'node x.mjs' } },
  ...more,
})
const done = (id: string, output: string): object =>
  call(id, 'completed', { rawOutput: { output, metadata: { exit: 0 } } })
const asked = (id: string, kind: string, rawInput: object): object => ({
  ...{ toolCallId: id, status: 'pending', kind, title: kind, rawInput },
})
const answer = { stopReason: 'end_turn', usage: { inputTokens: 1, outputTokens: 2 } }
const ended = { type: 'end', isError: false }

const errorsIn = (events: readonly AgentEvent[]) => events.filter(({ type }) => type === 'error')
const denialsIn = (events: readonly AgentEvent[]) => events.filter(({ type }) => type === 'denial')
const textIn = (events: readonly AgentEvent[]): string =>
  events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('')

// Beside each other, because most of them wait.
describe.concurrent('a peer', () => {
  test.each(['initialize', 'session/prompt', 1])('that dies at %j is told of', async (ends) => {
    const { events, left } = await leadPeer({ ends, updates: [call('1', 'pending'), done('1', 'x')] })
    expect(errorsIn(events)).toEqual([
      { type: 'error', cause: 'other', message: expect.stringMatching(/^OpenCode ended with exit code 7 before it/) },
    ])
    expect([events.at(-1), left]).toEqual([{ type: 'end', isError: true }, []])
  })

  test.each([
    ['Not logged in. Run opencode login\n', 'auth'],
    ['Not logged in. Run opencode login', 'auth'],
    ['No database\n', 'other'],
    ['Warning: the login expires soon\nTypeError: x\n  at a\n  at b\n', 'other'],
  ])('that says why in prose, and dies, is told of: %j', async (prose, cause) => {
    const told = prose.trim().replaceAll(/\n +|\n/g, ' ')
    for (const stream of ['prose', 'warning']) {
      const { events } = await leadPeer({ ends: 'initialize', [stream]: prose })
      const message = expect.stringContaining(`\`initialize\`. It said: ${told}`)
      expect(errorsIn(events)).toEqual([{ type: 'error', cause, message }])
    }
  })

  test.each([
    ...['Hi!\n', 'Load {x} … ', '[info] {"a": 1} ', '{"a":1} ', '{"jsonrpc":"2.0", … '],
    '{"jsonrpc":"2.0","method":"x/y","params":{}}',
  ])('that prints %j first is understood', async (prose) => {
    const { events } = await leadPeer({ prose, behind: ' ok', updates: [call('1', 'pending'), done('1', 'x')], answer })
    expect([events[0]?.type, events.at(-1)]).toEqual(['opened', ended])
  })

  test('that never answers is ended, and whoever ends it knows why', async () => {
    const { events, left } = await leadPeer({ silent: 'session/prompt' })
    expect(events.map(({ type }) => type)).toEqual(['opened', 'end'])
    expect([events.at(-1), left]).toEqual([{ type: 'end', isError: true }, []])
  })

  test('that ends by no signal is ended all the same', async () => {
    const { events, left } = await leadPeer({ isStubborn: true, updates: [done('1', 'x')], answer })
    expect([events.at(-1), left]).toEqual([ended, []])
  })

  test('is refused what no rule allows, with the rule, and told once to go on', async () => {
    const asks = [
      asked('1', 'execute', { command: 'node x.mjs' }),
      asked('2', 'edit', { filePath: '/etc/motd', content: 'x' }),
      asked('3', 'execute', { command: 'npm test' }),
    ]
    const { events } = await leadPeer({ asks }, { allow: ['Bash(node *)'] })
    expect(denialsIn(events)).toEqual([
      { type: 'denial', id: '2', what: 'edit /etc/motd', rule: 'Edit(//etc/motd)' },
      { type: 'denial', id: '3', what: 'npm test', rule: 'Bash(npm *)' },
    ])
    expect(textIn(events)).toContain('answer: allow_once. answer: reject_once. answer: reject_once. ')
    expect(textIn(events).match(/told: That call was refused/g)).toHaveLength(1)
  })

  test('is not helped by what it told of an id before', async () => {
    const updates = [call('1', 'pending', { kind: 'read', title: 'read', rawInput: { filePath: join(tmpdir(), 'x') } })]
    const asks = [asked('1', 'execute', { command: 'rm -r /' })]
    const { events } = await leadPeer({ updates, asks }, { root: tmpdir() })
    expect(denialsIn(events)).toMatchObject([{ id: '1', what: 'rm -r /' }])
  })

  test.each([
    [false, '1 servers.'],
    [true, '0 servers.'],
  ])('that takes no servers (%j) gets %s', async (takesNoServers, told) => {
    const reports = { url: 'http://127.0.0.1:9/mcp', token: 'secret', configFile: '' }
    const { events } = await leadPeer({ takesNoServers, tellsPlace: true, answer }, { reports })
    expect(textIn(events)).toContain(told)
    expect(events.at(-1)).toEqual(ended)
    expect(JSON.stringify(events)).not.toContain('secret')
  })

  test('has no use of our files and terminals, and says nothing more behind the end of its turn', async () => {
    const calls = [
      ['fs/read_text_file', { sessionId: 's1', path: '/etc/passwd' }],
      ['fs/write_text_file', { sessionId: 's1', path: '/tmp/x', content: 'x' }],
      ['terminal/create', { sessionId: 's1', command: 'id' }],
    ]
    const { events } = await leadPeer({ calls, later: [done('2', 'x'), done('3', 'x')], answer })
    expect(textIn(events)).toBe('fs/read_text_file: -32601. fs/write_text_file: -32601. terminal/create: -32601. ')
    expect(events.at(-1)).toEqual(ended)
  })

  test('whose message is too long is given up, and ended', async () => {
    const home = mkdtempSync(join(tmpdir(), 'mdt-acp-'))
    const told: unknown[] = []
    const onUpdate = (one: unknown) => told.push(one)
    const side = { onUpdate, onPermission: neverAsked, onProse() {}, maxMessageBytes: 100_000 }
    const task = peerTask(home, { padBytes: 4_000_000, answer })
    const connection = await openConnection(task, { PATH: process.env.PATH ?? '' }, side)
    await expect(connection.request('session/prompt', { prompt: [{ text: '' }] })).rejects.toThrow()
    await connection.close()
    expect(told).toEqual([])
    rmSync(home, { recursive: true })
  })

  test('that speaks a later version alone is told of', async () => {
    const { events } = await leadPeer({ version: 3 })
    expect(errorsIn(events)).toMatchObject([
      { message: 'It speaks version 3 of ACP, and mdtest speaks version 1. Update either.' },
    ])
    expect(events.at(-1)).toEqual({ type: 'end', isError: true })
  })
})

test.each<[string, Parameters<typeof explainMissingServer>[0], boolean, string | undefined]>([
  ['attached servers', peerNeeds({ shelf: { url: 'http://127.0.0.1:9/' } }), false, 'the spec needs `shelf`'],
  ['executor of mdtest', peerNeeds({}, true), false, '`executor: mdtest` needs one'],
  ['a server that is a program', peerNeeds({ shelf: { command: 'shelf' } }), true, '`shelf` is a program'],
  ['no server', peerNeeds({}), false, undefined],
])('one that takes no such servers and %s', (_, task, canHttp, why) => {
  const explained = explainMissingServer(task, { canHttp, canStdio: false })
  expect(explained).toEqual(why === undefined ? undefined : expect.stringContaining(why))
})

function peerNeeds(
  mcpServers: NonNullable<AgentRequest['mcpServers']>,
  isLookingOnly = false,
): Parameters<typeof explainMissingServer>[0] {
  const request = agentRequest({ mcpServers, ...(isLookingOnly && { executor: { tools: [] } }) })
  return { title: 'OpenCode', request }
}

function neverAsked(): never {
  throw new Error('It was asked.')
}
