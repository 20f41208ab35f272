import { expect, test } from 'vitest'
import type { AgentEvent } from '../../../src/agents/agent.ts'
import { mcpToolName } from '../../../src/agents/acp/program/told-call.ts'
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

/** A call that is over, as Copilot CLI tells it. */
const toldCall = (title: string, rawInput: object): readonly unknown[] => [
  { sessionUpdate: 'tool_call', toolCallId: '1', title, kind: 'execute', status: 'pending', rawInput },
  {
    sessionUpdate: 'tool_call_update',
    toolCallId: '1',
    status: 'completed',
    rawOutput: {
      content: 'out\n<shellId: 0 completed with exit code 3>',
      contents: [{ type: 'shell_exit', exitCode: 3, outputPreview: 'o' }],
    },
  },
]

test('a command is told with its whole output, and what the model says of it is no name of a tool', () => {
  const reader = new SessionReader({ servers, guessesKinds: true })
  const said = { command: 'node x.mjs', description: ' mdtest-run' }
  expect(toldCall('mdtest-run', said).flatMap((one) => reader.readUpdate(one))).toMatchObject([
    { type: 'tool-call', id: '1', kind: 'command', tool: 'execute', title: 'node x.mjs', files: [] },
    { type: 'tool-result', id: '1', isError: true, exitCode: 3, output: 'out' },
  ])
})

test('a tool of a server is none of the agent, where kinds are guessed', () => {
  const [start] = toldCall('mdtest-run', { command: 'node x.mjs' })
  const told = (guessesKinds: boolean): readonly AgentEvent[] =>
    new SessionReader({ servers, guessesKinds }).readUpdate(start)
  expect(told(true)).toMatchObject([{ kind: 'mcp', tool: 'mcp__mdtest__run' }])
  expect(told(false)).toMatchObject([{ kind: 'command', title: 'node x.mjs' }])
})

test.each([
  [false, 30],
  [true, 20],
])('tokens of two prompts, where those of an answer are of the session: %s', (tellsTokensOfSession, inputTokens) => {
  const reader = new SessionReader({ servers, tellsTokensOfSession })
  const answer = (count: number): readonly AgentEvent[] =>
    reader.readAnswer({ stopReason: 'end_turn', usage: { inputTokens: count, outputTokens: 1 } })
  answer(10)
  expect(answer(20)).toMatchObject([{ type: 'usage', inputTokens }])
})

test('an error of the model that is told as a text is one, behind work and tokens too', () => {
  const end = (...texts: readonly string[]): readonly AgentEvent[] => {
    const reader = new SessionReader({ servers, errorStart: 'Error: ' })
    for (const one of toldCall('d', { command: 'node x.mjs', description: 'd' })) reader.readUpdate(one)
    for (const text of texts)
      reader.readUpdate({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } })
    return reader.readAnswer({ stopReason: 'end_turn', usage: { inputTokens: 1, outputTokens: 1 } })
  }
  expect(end('Info: again', 'Error: last error: 500')).toMatchObject([
    { type: 'text' },
    { type: 'usage' },
    { type: 'error', cause: 'model', status: 500 },
  ])
  expect(end('Error: was shown', ' as it should be')).toMatchObject([{ type: 'text' }, { type: 'usage' }])
})

test('an id that is used again is another call', () => {
  const reader = new SessionReader({ servers })
  const again = toldCall('a', { command: 'node x.mjs' })
  const events = [...again, again[1], ...again].flatMap((one) => reader.readUpdate(one))
  expect(events.map((event) => `${event.type} ${'id' in event ? event.id : ''}`)).toEqual([
    ...['tool-call 1', 'tool-result 1', 'tool-call 1#2', 'tool-result 1#2'],
  ])
})

test.each([
  [undefined, { cause: 'model', message: 'It was given no answer.' }],
  ['Error: the model is gone', { cause: 'model', message: 'Error: the model is gone' }],
  ['Error: 401 Unauthorized', { cause: 'auth', status: 401 }],
])('a turn without calls and usage that says %j is an error of the model', (text, error) => {
  const reader = new SessionReader({ servers })
  if (text !== undefined) reader.readUpdate({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } })
  expect(reader.readAnswer({ stopReason: 'end_turn' }).at(-1)).toMatchObject({ type: 'error', ...error })
})

test('a tool that is named by the id of its call alone is known by that, and no title of the model counts', () => {
  const reader = new SessionReader({ servers, namesToolsInIds: true })
  const asked = { toolCallId: 'mcp_mdtest_run__1', kind: 'other', title: 'shop_buy', rawInput: { command: 'x' } }
  expect(reader.readRequest(asked)?.call.names).toEqual(['mcp_mdtest_run'])
  const command = { toolCallId: 'run_shell_command-1-2', kind: 'execute', title: 'ls' }
  const content = [{ type: 'content', content: { type: 'text', text: '[in /other] (List)' } }]
  expect(reader.readRequest({ ...command, content })?.call.input).toEqual({ cwd: '/other' })
})
