import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { SessionReader } from '../../../src/agents/acp/program/session-reader.ts'
import { readAcpCalls } from '../../../src/agents/acp/read-acp-calls.ts'
import type { DoneCall } from '../../../src/agents/done-call.ts'
import { formatEvent } from '../../../src/agents/own-events.ts'

const place = (): string => {
  const dir = mkdtempSync(join(tmpdir(), 'mdt-calls-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  return dir
}

/** What is read of a session, of the lines that our program prints. `refused`: ids of calls that are refused. */
function callsOf(updates: readonly object[], cwd: string, refused: readonly string[] = []): readonly DoneCall[] {
  const reader = new SessionReader({ cwd, servers: ['mdtest', 'shop'] })
  const events = updates.flatMap((update) => {
    const asked = 'toolCallId' in update && refused.includes(String(update.toolCallId)) && reader.readRequest(update)
    return asked ? [...asked.events, ...reader.refuse(asked.call, 'it')] : reader.readUpdate(update)
  })
  return readAcpCalls({ stream: ['no event', ...events.map(formatEvent), '{"type":"done"'], transcript: [] })
}

const begun = (id: string, kind: string, rawInput: object, title = kind): object => ({
  ...{ sessionUpdate: 'tool_call', toolCallId: id, status: 'pending', kind, title, rawInput },
})
const over = (id: string, rawOutput?: unknown, status = 'completed'): object => ({
  ...{ sessionUpdate: 'tool_call_update', toolCallId: id, status },
  ...(rawOutput !== undefined && { rawOutput }),
})
const command = { kind: 'command', command: 'node x.mjs', isWhole: true, isBackground: false } as const // one of its kinds

test.each([
  [
    { output: 'a\n', metadata: { exit: 3 } },
    { ...command, exitCode: 3, output: 'a\n', cwd: '/p' },
  ],
  // OpenCode's words for none.
  [
    { output: '(no output)', metadata: { exit: 0 } },
    { ...command, exitCode: 0, output: '', cwd: '/p' },
  ],
  // Copilot CLI.
  [
    { contents: [{ type: 'shell_exit', exitCode: 0, outputPreview: 'a', cwd: '/p/sub' }] },
    { ...command, exitCode: 0, output: 'a', cwd: '/p/sub' },
  ],
  // Qwen Code.
  [
    { output: 'a', exitCode: 1, directory: 'sub' },
    { ...command, exitCode: 1, output: 'a', cwd: '/p/sub' },
  ],
  [
    { output: 'a', metadata: { exit: 0, truncated: true, outputPath: '/nowhere/at/all' } },
    { ...command, exitCode: 0, output: 'a', cwd: '/p', isWhole: false },
  ],
  // What is not told is not known.
  [
    { output: 'a', metadata: { exit: null } },
    { kind: 'untold', command: 'node x.mjs' },
  ],
  [{ metadata: { exit: 0 } }, { kind: 'untold', command: 'node x.mjs' }],
  [undefined, { kind: 'untold', command: 'node x.mjs' }],
])('a command that tells %j', (rawOutput, expected) => {
  expect(callsOf([begun('1', 'execute', { command: 'node x.mjs' }), over('1', rawOutput)], '/p')).toEqual([expected])
})

test('a long output is read where it is kept', () => {
  const dir = place()
  writeFileSync(join(dir, 'kept'), 'a\nb\n')
  const metadata = { exit: 0, truncated: true, outputPath: join(dir, 'kept') }
  const updates = [begun('1', 'execute', { command: 'node x.mjs' }), over('1', { output: 'b\n', metadata })]
  expect(callsOf(updates, '/p')).toEqual([{ ...command, exitCode: 0, output: 'a\nb\n', cwd: '/p' }])
})

test('the directory is that of the call', () => {
  const ended = over('1', { output: 'a', metadata: { exit: 0 } })
  const updates = [
    begun('1', 'execute', { cwd: '/p' }),
    begun('1', 'execute', { command: 'node x.mjs', workdir: '/p/a' }),
  ]
  expect(callsOf([...updates, ended], '/p')).toEqual([{ ...command, exitCode: 0, output: 'a', cwd: '/p/a' }])
})

test('calls stand in the order in which they began, those that never ended too', () => {
  const updates = [
    begun('1', 'execute', { command: 'node x.mjs' }),
    begun('2', 'other', { step: '1-a', status: 'pass' }, 'mdtest_report_step'),
    begun('3', 'other', { id: 1 }, 'shop_buy'),
    begun('4', 'search', { pattern: 'x' }, 'grep'),
    begun('5', 'other', { todos: [1] }, 'plan_holidays'),
    begun('6', 'execute', { command: 'rm x' }),
    over('5', 'done'),
    over('3', { output: 'bought' }),
    over('2', { output: 'No.' }, 'failed'),
    over('4', { output: 'x' }),
  ]
  expect(callsOf(updates, '/p', ['6'])).toEqual([
    { kind: 'unfinished', command: 'node x.mjs' },
    { kind: 'report', isAccepted: false },
    { kind: 'mcp', server: 'shop', tool: 'buy', input: { id: 1 }, output: 'bought', isError: false },
    { kind: 'aside' },
    { kind: 'other', tool: 'plan_holidays', isOfHelper: false },
    { kind: 'refused' },
  ])
})

test('what an edit made of a file is what the file holds', () => {
  const dir = place()
  const outside = place()
  writeFileSync(join(dir, 'a'), 'one\ntwo\n')
  writeFileSync(join(dir, 'changed'), 'by another one\n')
  writeFileSync(join(outside, 'secret'), 'two\n')
  symlinkSync(join(outside, 'secret'), join(dir, 'link'))
  const edit = (id: string, file: string): readonly object[] => [
    begun(id, 'edit', { filePath: file, oldString: 'zwei', newString: 'two' }),
    over(id, { output: 'done' }),
  ]
  const files = ['a', join(dir, 'changed'), 'gone', 'link', join(outside, 'secret')]
  expect(
    callsOf(
      files.flatMap((file, index) => edit(String(index), file)),
      dir,
    ),
  ).toEqual([
    { kind: 'edit', file: join(dir, 'a'), content: 'one\ntwo\n' },
    { kind: 'edit', file: join(dir, 'changed') },
    { kind: 'edit', file: join(dir, 'gone'), isGone: true },
    { kind: 'edit', file: join(dir, 'link') },
    { kind: 'edit', file: join(outside, 'secret') },
  ])
})

test('a file that is elsewhere is read as any other', () => {
  const updates = [
    begun('1', 'read', { filePath: '/other/a' }),
    { ...begun('1', 'other', {}), sessionUpdate: 'tool_call_update', title: 'external_directory' },
    over('1', { output: 'a' }),
  ]
  expect(callsOf(updates, '/p')).toEqual([{ kind: 'read', file: '/other/a', output: 'a' }])
})
