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
