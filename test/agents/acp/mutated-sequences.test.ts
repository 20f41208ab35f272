import { expect, test } from 'vitest'
import type { AgentEvent } from '../../../src/agents/agent.ts'
import { SessionReader } from '../../../src/agents/acp/program/session-reader.ts'
import fc from '../../support/fast-check.ts'

type Message = Readonly<Record<string, unknown>>

const part = (id: string, more: Message, isFirst = false): Message => ({
  ...{ sessionUpdate: isFirst ? 'tool_call' : 'tool_call_update', toolCallId: id, ...more },
})

/** Two commands, one of which fails, and a file that is read. */
const messages: readonly Message[] = [
  part('1', { kind: 'execute', status: 'pending', title: 'shell', rawInput: { command: 'node a.mjs' } }, true),
  part('1', { status: 'completed', rawOutput: { output: 'one', exitCode: 3 } }),
  part('2', { kind: 'execute', status: 'pending', title: 'shell', rawInput: { command: 'node b.mjs' } }, true),
  part('2', { status: 'failed', rawOutput: { output: 'two', exitCode: 4 } }),
  part('3', { kind: 'read', status: 'pending', title: 'read', rawInput: { path: '/p/a' } }, true),
  part('3', { status: 'completed', rawOutput: { output: 'words' } }),
]

/** What a message does not survive as it is: it is left out, comes twice, moves, or loses or changes a field. */
const mutation = fc.record({
  kind: fc.constantFrom('drop', 'twice', 'move', 'lose', 'change'),
  at: fc.nat(),
  to: fc.nat(),
  value: fc.oneof(fc.integer(), fc.boolean(), fc.constant(null), fc.constant([]), fc.constant({})),
})

function mutate(
  given: readonly Message[],
  { kind, at, to, value }: { kind: string; at: number; to: number; value: unknown },
): readonly Message[] {
  const index = at % Math.max(given.length, 1)
  const message = given[index]
  if (message === undefined) return given
  const names = Object.keys(message)
  const name = names[to % names.length] ?? ''
  const rest = given.toSpliced(index, 1)
  if (kind === 'drop') return rest
  if (kind === 'twice') return given.toSpliced(to % (given.length + 1), 0, message)
  if (kind === 'move') return rest.toSpliced(to % given.length, 0, message)
  const without = Object.fromEntries(Object.entries(message).filter(([field]) => field !== name))
  return given.with(index, kind === 'lose' ? without : { ...message, [name]: value })
}

function play(given: readonly Message[]): readonly AgentEvent[] {
  const reader = new SessionReader({ servers: ['mdtest'] })
  const events = given.flatMap((one) => reader.readUpdate(one))
  return [...events, ...reader.readAnswer({ stopReason: 'end_turn' })]
}

/** What a verdict can rest on: what each use of the product gave, and how it ended. */
function evidenceIn(events: readonly AgentEvent[]): readonly string[] {
  const calls = new Map(events.flatMap((event) => (event.type === 'tool-call' ? [[event.id, event] as const] : []))) // a pair
  return events.flatMap((event) => {
    const call = event.type === 'tool-result' ? calls.get(event.id) : undefined
    if (event.type !== 'tool-result' || call === undefined || call.use === 'housekeeping') return []
    return [`${call.kind} gave "${event.output}" and ended with ${event.exitCode}`]
  })
}

const told = [
  'command gave "one" and ended with 3',
  'command gave "two" and ended with 4',
  'file gave "words" and ended with undefined',
]

/** The same, or less: an output or an exit code that got lost. A command without either counts for no more than one that was begun. */
const atMost = new Set([
  ...told,
  ...told.map((one) => one.replace(/"\w+"/, '""')),
  ...told.map((one) => one.replace(/\d$/, 'undefined')),
  'command gave "" and ended with undefined',
])

test('no mutation of messages makes more evidence of them', () => {
  expect(evidenceIn(play(messages)).toSorted()).toEqual(told)
  fc.assert(
    fc.property(fc.array(mutation, { minLength: 1, maxLength: 6 }), (mutations) => {
      const mutated = mutations.reduce(mutate, messages)
      expect(evidenceIn(play(mutated)).filter((one) => !atMost.has(one))).toEqual([])
    }),
  )
})
