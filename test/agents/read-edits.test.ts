import { expect, test } from 'vitest'
import { readClaudeCalls } from '../../src/agents/claude/read-claude-calls.ts'
import { readCodexCalls } from '../../src/agents/codex/read-codex-calls.ts'
import type { DoneCall } from '../../src/agents/done-call.ts'
import { repeatableCalls } from '../../src/host/evidence/repeatable-calls.ts'

const json = (value: object): string => JSON.stringify(value)

/** What the last of these calls of claude left in the file. */
function edited(...calls: readonly (readonly [name: string, input: object, kept?: object])[]): DoneCall | undefined {
  const stream = calls.flatMap(([name, input, kept], index) => {
    const use = { type: 'tool_use', id: `t${index}`, name, input: { file_path: '/w/a', ...input } }
    const answer = { type: 'tool_result', tool_use_id: `t${index}`, content: 'ok' }
    return [
      json({ type: 'assistant', message: { content: [use] }, parent_tool_use_id: null }),
      json({ type: 'user', message: { content: [answer] }, tool_use_result: kept }),
    ]
  })
  return readClaudeCalls({ stream, transcript: [] }).at(-1)
}

test('what claude left in a file is what the file held, with its change', () => {
  const edit = { old_string: 'a', new_string: 'b' }
  const known = { kind: 'edit', file: '/w/a' }
  expect(edited(['Edit', edit, { originalFile: 'a a' }])).toEqual({ ...known, content: 'b a' })
  expect(edited(['Edit', { ...edit, replace_all: true }, { originalFile: 'a a' }])).toEqual({
    ...known,
    content: 'b b',
  })
  expect(edited(['Edit', { old_string: '', new_string: 'new' }, { originalFile: null }])).toEqual({
    ...known,
    content: 'new',
  })
  // A command may have changed it in between.
  const written = ['Write', { content: 'a' }] as const // a pair
  expect(edited(written, ['Edit', edit, { originalFile: 'a formatted' }])).toEqual({ ...known, content: 'b formatted' })
  expect(edited(written, ['Edit', edit])).toEqual({ ...known, content: 'b' })
  expect(edited(['Edit', edit])).toEqual(known)
  expect(edited(written, ['Edit', { old_string: 'x', new_string: 'y' }])).toEqual(known)
})

function codex(changes: object): readonly DoneCall[] {
  const item = { type: 'FileChange', id: '1', status: 'completed', changes }
  return readCodexCalls({ stream: [], transcript: [json({ payload: { type: 'item_completed', item } })] })
}

test('what codex removed or moved is known', () => {
  expect(codex({ '/w/a': { type: 'delete', content: 'x' } })).toEqual([{ kind: 'edit', file: '/w/a', isGone: true }])
  expect(codex({ '/w/a': { type: 'update', unified_diff: '@@ -1 +1 @@', move_path: '/w/b' } })).toEqual([
    { kind: 'edit', file: '/w/b' },
    { kind: 'edit', file: '/w/a', isGone: true },
  ])
})

test('a command that codex left running is known, with its step', () => {
  const started = { id: 'c', type: 'command_execution', command: "/bin/bash -lc 'node server.mjs'" }
  const report = { id: 'r', type: 'mcp_tool_call', server: 'mdtest', tool: 'report_step' }
  const stream = [
    { type: 'item.completed', item: report },
    { type: 'item.started', item: started },
    { type: 'item.completed', item: { ...report, id: 's' } },
  ].map(json)
  const done = {
    type: 'McpToolCall',
    id: 'r',
    server: 'mdtest',
    tool: 'report_step',
    arguments: {},
    status: 'completed',
  }
  const transcript = [done, done].map((item) => json({ payload: { type: 'item_completed', item } }))
  const calls = readCodexCalls({ stream, transcript })
  expect(calls.map(({ kind }) => kind)).toEqual(['report', 'unfinished', 'report'])
  expect(
    readCodexCalls({ stream: [...stream, json({ type: 'item.completed', item: started })], transcript }),
  ).toHaveLength(2)
})

const paths = { cwd: '/w', specFile: '/w/a.test.md', logFile: '/w/a.test.logs/1/1.log.md' }

test.each<readonly [string, DoneCall, object]>([
  ['a file', { kind: 'edit', file: '/w/a', content: 'x' }, { kind: 'edit', file: '/w/a', content: 'x' }],
  [
    'a file that goes',
    { kind: 'edit', file: '/w/a b', isGone: true },
    { kind: 'command', command: "rm 'a b'", cwd: '/w' },
  ],
  ['one outside that goes', { kind: 'edit', file: '/etc/a', isGone: true }, { kind: 'unrepeatable' }],
  ['unknown content', { kind: 'edit', file: '/w/a' }, { kind: 'unrepeatable' }],
  ['other ends of lines', { kind: 'edit', file: '/w/a', content: 'a\r\n' }, { kind: 'unrepeatable' }],
  ['bytes that are no text', { kind: 'edit', file: '/w/a', content: 'a\0' }, { kind: 'unrepeatable' }],
  ['a command that was left running', { kind: 'unfinished', command: 'serve' }, { kind: 'unrepeatable' }],
])('%s is repeated, or said to be nothing to repeat', (_what, call, expected) => {
  expect(repeatableCalls([call], { steps: ['1-a'], paths })).toMatchObject([{ ...expected, step: '1-a' }])
})
