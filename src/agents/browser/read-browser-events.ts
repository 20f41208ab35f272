import { z } from 'zod'
import type { AgentEvent } from '../agent.ts'
import { readEventLine } from '../agent-events.ts'
import type { DoneCall, KeptSession } from '../done-call.ts'
import { ownServer } from '../report-access.ts'

/** What our own agent prints besides events: a call with its whole answer, to be repeated without a model. */
export interface CalledEvent {
  readonly type: 'called'
  /** By its name for the agent. */
  readonly server: string
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
  readonly isError: boolean
  readonly output: string
}

/** A sign of life while the provider wants to be left alone. */
export interface WaitingEvent {
  readonly type: 'waiting'
}

/** Events in one line of the output of our own agent: it prints them as they are. Never throws. */
export function readBrowserEvents(line: string): readonly AgentEvent[] {
  return readEventLine(line, eventSchema, (event) =>
    event.type === 'called' || event.type === 'waiting' ? [] : [event],
  )
}

/** What it did: all of it stands in its output. Never throws. */
export function readBrowserCalls({ stream }: KeptSession): readonly DoneCall[] {
  return stream.flatMap((line): readonly DoneCall[] => {
    if (!line.startsWith(calledStart)) return []
    const read = calledSchema.safeParse(parsed(line))
    if (!read.success) return []
    const { type: _type, ...call } = read.data
    const isReport = call.server === ownServer && call.tool === 'report_step'
    return [isReport ? { kind: 'report', isAccepted: !call.isError } : { kind: 'mcp', ...call }]
  })
}

const calledStart = '{"type":"called"'

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined // A torn line.
  }
}

/** One event as a line of that output. */
export function formatBrowserEvent(event: AgentEvent | CalledEvent | WaitingEvent): string {
  return `${JSON.stringify(event)}\n`
}

const text = z.string()
const count = z.number()
const kind = z.enum(['command', 'file', 'browser', 'mcp', 'web', 'other'])

const calledSchema = z.object({
  type: z.literal('called'),
  server: text,
  tool: text,
  input: z.record(text, z.unknown()),
  isError: z.boolean(),
  output: text,
})

const eventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('opened'), model: text.exactOptional() }),
  z.object({ type: z.literal('tool-call'), id: text, kind, tool: text, title: text, files: z.array(text) }),
  z.object({ type: z.literal('tool-result'), id: text, isError: z.boolean(), output: text }),
  calledSchema,
  z.object({ type: z.literal('waiting') }),
  z.object({ type: z.literal('text'), text }),
  z.object({ type: z.literal('image'), file: text, step: text.exactOptional() }),
  z.object({
    type: z.literal('tokens'),
    id: text,
    inputTokens: count,
    outputTokens: count,
    cachedInputTokens: count.exactOptional(),
  }),
  z.object({
    type: z.literal('usage'),
    inputTokens: count,
    outputTokens: count,
    cachedInputTokens: count.exactOptional(),
    turns: count.exactOptional(),
  }),
  z.object({
    type: z.literal('error'),
    cause: z.enum(['auth', 'budget', 'mcp', 'browser', 'model', 'no-verdict', 'other']),
    message: text,
    status: count.exactOptional(),
  }),
  z.object({ type: z.literal('end'), isError: z.boolean() }),
])
