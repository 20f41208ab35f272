import { expect, test } from 'vitest'
import type { AcpEvent } from '../../../src/agents/acp/acp-session-events.ts'
import { SessionReader } from '../../../src/agents/acp/program/session-reader.ts'
import { Version2 } from '../../../src/agents/acp/program/version-2.ts'
import { leadPeer } from './lead-peer.ts'

const patch = (more: object): object => ({ sessionUpdate: 'tool_call_update', toolCallId: '1', ...more })
const base64 = (text: string): string => Buffer.from(text).toString('base64')

/** A command as version 2 tells it: it prints in a terminal of the agent. */
const inTerminal = [
  patch({ kind: 'execute', title: 'Look', status: 'pending', name: 'shell' }),
  { sessionUpdate: 'terminal_update', terminalId: 't1', command: 'node x.mjs', cwd: '/p/sub' },
  { sessionUpdate: 'tool_call_content_chunk', toolCallId: '1', content: { type: 'terminal', terminalId: 't1' } },
  patch({ status: 'in_progress' }),
  { sessionUpdate: 'terminal_output_chunk', terminalId: 't1', data: base64('one ') },
  { sessionUpdate: 'terminal_output_chunk', terminalId: 't1', data: base64('two') },
  { sessionUpdate: 'terminal_update', terminalId: 't1', exitStatus: { exitCode: 3 } },
  patch({ status: 'completed' }),
]

function play(messages: readonly unknown[]): readonly AcpEvent[] {
  const reader = new SessionReader({ cwd: '/p', servers: ['mdtest'] })
  const version2 = new Version2()
  const events = messages.flatMap((one) => reader.readUpdate(version2.toUpdate(one)))
  return [...events, ...reader.breakOff()]
}

test('a command in a terminal is told with its command line, output, directory and exit code', () => {
  expect(play(inTerminal)).toEqual([
    { type: 'tool-call', id: '1', kind: 'command', tool: 'shell', title: 'node x.mjs', files: [] },
    { type: 'tool-result', id: '1', isError: true, exitCode: 3, output: 'one two' },
    {
      type: 'done',
      id: '1',
      calls: [
        { kind: 'command', command: 'node x.mjs', cwd: '/p/sub', exitCode: 3, isBackground: false, isWhole: true },
      ],
    },
  ])
})

test('an exit code that no terminal tells, or that one of two tells, is unknown', () => {
  const codes = (messages: readonly unknown[]): readonly unknown[] =>
    play(messages).flatMap((event) => (event.type === 'tool-result' ? [event.exitCode] : []))
  expect(codes(inTerminal.filter((one) => !('exitStatus' in one)))).toEqual([undefined])
  const other = {
    sessionUpdate: 'tool_call_content_chunk',
    toolCallId: '1',
    content: { type: 'terminal', terminalId: 't2' },
  }
  expect(codes([...inTerminal.slice(0, 3), other, ...inTerminal.slice(3)])).toEqual([undefined])
})

test('what is left out of a patch stays, and what is told anew replaces', () => {
  const output = (...parts: readonly object[]): readonly string[] =>
    play(parts).flatMap((event) => (event.type === 'tool-result' ? [event.output] : []))
  const start = patch({ kind: 'read', title: 'read', status: 'pending', rawInput: { path: '/p/a' } })
  const content = (text: string) => ({ type: 'content', content: { type: 'text', text } })
  const chunk = (text: string): object => ({
    ...{ sessionUpdate: 'tool_call_content_chunk', toolCallId: '1', content: content(text) },
  })
  expect(output(start, chunk('a'), chunk('b'), patch({ status: 'completed' }))).toEqual(['ab'])
  expect(output(start, chunk('a'), patch({ content: [content('c')] }), patch({ status: 'completed' }))).toEqual(['c'])
  expect(output(start, chunk('a'), patch({ content: null }), patch({ status: 'completed' }))).toEqual([''])
  expect(output(start, patch({ rawOutput: { output: 'r' } }), patch({ status: 'completed' }))).toEqual(['r'])
})

test('an edit is told with all its files and the words that it adds', () => {
  const text = 'diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1,2 @@\n-old\n+new\n+er\n same\n+more\n'
  const changes = [
    { operation: 'modify', path: '/p/a' },
    { operation: 'move', oldPath: '/p/b', path: '/p/c' },
  ]
  const content = [{ type: 'diff', changes, patch: { format: 'git_patch', text } }]
  const [call] = play([patch({ kind: 'edit', title: 'edit', status: 'completed', content })])
  expect(call).toMatchObject({ use: 'edit', files: ['/p/a', '/p/b', '/p/c'], written: ['new\ner', 'more'] })
})

test('a cancelled call is an error, and a paused one goes on', () => {
  const shapes = play([
    patch({ kind: 'read', title: 'read', status: 'paused', rawInput: { path: '/p/a' } }),
    patch({ status: 'cancelled' }),
  ])
  expect(shapes).toMatchObject([{ type: 'tool-call' }, { type: 'tool-result', isError: true }, { type: 'done' }])
})

test('a message that is told anew is told once', () => {
  const say = (text: string): object => ({ type: 'text', text })
  const events = play([
    { sessionUpdate: 'agent_message_chunk', messageId: 'm', content: say('Hel') },
    { sessionUpdate: 'agent_message', messageId: 'm', content: [say('Hello')] },
    { sessionUpdate: 'agent_message', messageId: 'm', content: [say('Hello')] },
  ])
  expect(events).toEqual([{ type: 'text', text: 'Hello' }])
})

test('an agent that offers version 2 carries out its task by it', async () => {
  const { events, left } = await leadPeer({ version: 2, updates: inTerminal })
  expect(events.map(({ type }) => type)).toEqual(['opened', 'tool-call', 'tool-result', 'end'])
  expect([events.at(-1), left]).toEqual([{ type: 'end', isError: false }, []])
})

test('what no rule allows is refused, whatever it is asked by', async () => {
  const rawInput = { command: 'npm test' }
  const asks = [
    { type: 'command', command: 'node x.mjs', cwd: '/p' },
    { type: 'command', command: 'rm -r /', cwd: '/p', toolCallId: '2' },
    { type: 'tool_call', toolCall: { toolCallId: '3', kind: 'execute', title: 'npm test', rawInput } },
    { type: '_of_its_own' },
  ]
  const { events } = await leadPeer({ version: 2, asks }, { allow: ['Bash(node *)'] })
  expect(events.filter(({ type }) => type === 'denial')).toEqual([
    { type: 'denial', id: '2', what: 'rm -r /' },
    { type: 'denial', id: '3', what: 'npm test', rule: 'Bash(npm *)' },
    { type: 'denial', id: 'asked-4', what: 'asks: May it?' },
  ])
  const texts = events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('')
  expect(texts.match(/answer: \w+/g)).toEqual(
    ['allow_once', 'reject_once', 'reject_once', 'reject_once'].map((kind) => `answer: ${kind}`),
  )
})

test.each([
  [
    { stopReason: 'error', error: { code: 401, message: 'Log in' } },
    { cause: 'auth', message: 'Log in' },
  ],
  [{ stopReason: 'error' }, { cause: 'model', message: 'Its turn ended: `error`.' }],
  [{ stopReason: 'max_tokens' }, { cause: 'model', message: 'Its turn ended: `max_tokens`.' }],
  [{}, { cause: 'model', message: 'Its turn ended: `unknown`.' }],
])('a turn that ends with %j is an error', async (answer, error) => {
  const { events } = await leadPeer({ version: 2, updates: inTerminal, answer })
  expect(events.filter(({ type }) => type === 'error')).toMatchObject([error])
  expect(events.at(-1)).toEqual({ type: 'end', isError: true })
})

test.each([0, 3])('one that dies at update %i is told of', async (ends) => {
  const { events, left } = await leadPeer({ version: 2, updates: inTerminal, ends })
  expect(events.filter(({ type }) => type === 'error')).toMatchObject([
    { message: expect.stringContaining('exit code 7') },
  ])
  expect(left).toEqual([])
})

test.each([
  ['answers that it speaks version 1', {}],
  ['refuses the offer of a later version', { refusesOffers: true }],
])('one that %s is spoken to in version 1', async (_, script) => {
  const rawInput = { command: 'node x.mjs' }
  const updates = [
    { sessionUpdate: 'tool_call', toolCallId: '1', kind: 'execute', status: 'completed', title: 'x', rawInput },
  ]
  const { events } = await leadPeer({ updates, ...script })
  expect(events.at(-1)).toEqual({ type: 'end', isError: false })
})

test('one that speaks a later version alone is told of', async () => {
  const { events } = await leadPeer({ version: 3 })
  expect(events.filter(({ type }) => type === 'error')).toMatchObject([
    { message: 'It speaks version 3 of ACP, and mdtest speaks versions 1 and 2. Update either.' },
  ])
})
