import { expect, test } from 'vitest'
import type { AgentEvent } from '../../../src/agents/agent.ts'
import { mcpToolName } from '../../../src/agents/acp/program/mcp-tool-name.ts'
import { SessionReader } from '../../../src/agents/acp/program/session-reader.ts'
import fc from '../../support/fast-check.ts'

const servers = ['mdtest', 'shop', 'shop_admin']

/** One update as agents send it. */
const update = fc.record({
  sessionUpdate: fc.constantFrom('tool_call', 'tool_call_update', 'agent_message_chunk', 'usage_update', 'plan'),
  toolCallId: fc.constantFrom('1', '2', '3', '__proto__'),
  status: fc.constantFrom('pending', 'in_progress', 'completed', 'failed'),
  kind: fc.constantFrom('execute', 'read', 'edit', 'search', 'fetch', 'other', 'think'),
  title: fc.constantFrom('bash', 'node x.mjs', 'mdtest_report_step', 'report_step (mdtest MCP Server)', 'shop_buy'),
  rawInput: fc.constantFrom<unknown[]>({}, { command: 'node x.mjs' }, { filePath: '/p/a' }, { step: '1' }),
  rawOutput: fc.constantFrom<unknown[]>({ output: 'x', metadata: { exit: 3 } }, 'text', null),
  content: fc.constantFrom<unknown[]>([], { type: 'text', text: 'words' }, [
    { type: 'diff', path: '/p/a', newText: 'b' },
  ]),
  cost: fc.constantFrom<unknown[]>(null, { amount: 1, currency: 'USD' }),
})

/** The same with anything in one of its fields, or without it. */
const mutated = fc
  .tuple(
    update,
    fc.constantFrom(...['toolCallId', 'status', 'kind', 'title', 'rawInput', 'rawOutput', 'content', '_meta', 'x']),
    fc.jsonValue(),
  )
  .map(([message, field, value]) => ({ ...message, [field]: value }))

const message = fc.oneof(update, mutated, fc.jsonValue())

function play(messages: readonly unknown[]): readonly AgentEvent[] {
  const reader = new SessionReader({ servers })
  return [
    ...messages.flatMap((one, index) => {
      if (index % 5 !== 4) return reader.readUpdate(one)
      const asked = reader.readRequest(one)
      return asked === undefined ? [] : [...asked.events, ...reader.refuse(asked.call, 'it')]
    }),
    ...reader.readAnswer(messages.at(-1)),
  ]
}

test('whatever comes, each call is told once, and its result once and later', () => {
  fc.assert(
    fc.property(fc.array(message, { maxLength: 40 }), (messages) => {
      const called = new Set<string>()
      const answered = new Set<string>()
      for (const event of play(messages)) {
        if (event.type === 'tool-call') {
          expect(called).not.toContain(event.id)
          called.add(event.id)
        }
        if (event.type === 'denial') expect(called).toContain(event.id)
        if (event.type === 'tool-result') {
          expect(called).toContain(event.id)
          expect(answered).not.toContain(event.id)
          answered.add(event.id)
        }
      }
    }),
    { numRuns: 10_000 },
  )
})

test('what is left out or changed makes no command, no use of a file and no exit code that was not told', () => {
  const isUse = (event: AgentEvent): boolean => event.type === 'tool-call' && event.use !== 'housekeeping'
  fc.assert(
    fc.property(fc.array(fc.jsonValue(), { maxLength: 40 }), (messages) => {
      const calls = messages.map((value, index) => ({
        sessionUpdate: 'tool_call',
        toolCallId: `${index % 7}`,
        title: value,
        status: 'completed',
        rawOutput: value,
      }))
      const events = play(calls)
      expect(events.filter(isUse)).toEqual([])
      expect(events.filter((event) => event.type === 'tool-result' && event.exitCode !== undefined)).toEqual([])
    }),
    { numRuns: 10_000 },
  )
})

test.each([
  ['mdtest_report_step', 'mcp__mdtest__report_step'],
  ['mdtest-report_step', 'mcp__mdtest__report_step'],
  ['mcp_mdtest_report_step', 'mcp__mdtest__report_step'],
  ['mcp__mdtest__report_step', 'mcp__mdtest__report_step'],
  ['report_step (mdtest MCP Server)', 'mcp__mdtest__report_step'],
  ['shop_admin_close', 'mcp__shop_admin__close'],
  ['shop_buy', 'mcp__shop__buy'],
  ['report_step (other MCP Server)', undefined],
  ['mdtest_', undefined],
  ['mdtest_report_step; rm x', undefined],
])('the tool %s is %s', (name, expected) => {
  expect(mcpToolName(name, servers)).toBe(expected)
})

test('a command is a command, whatever its title', () => {
  const [event] = play([
    {
      sessionUpdate: 'tool_call',
      toolCallId: '1',
      kind: 'execute',
      title: 'mdtest_report_step',
      status: 'completed',
      rawInput: { command: 'node x.mjs' },
    },
  ])
  expect(event).toMatchObject({ type: 'tool-call', kind: 'command', title: 'node x.mjs' })
})
