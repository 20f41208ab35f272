import { expect, test } from 'vitest'
import type { AcpEvent } from '../../../src/agents/acp/acp-session-events.ts'
import { SessionReader } from '../../../src/agents/acp/program/session-reader.ts'
import { Version2 } from '../../../src/agents/acp/program/version-2.ts'

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
