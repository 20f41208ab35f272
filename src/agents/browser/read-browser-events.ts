import { z } from 'zod'
import type { AgentEvent } from '../agent.ts'
import { readEventLine } from '../agent-events.ts'
import type { DoneCall } from '../done-call.ts'
import { ownEventSchemas } from '../own-events.ts'
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

/** Events in one line of the output of our own agent: it prints them as they are. Never throws. */
export function readBrowserEvents(line: string): readonly AgentEvent[] {
  return readEventLine(line, eventSchema, (event) =>
    event.type === 'called' || event.type === 'waiting' ? [] : [event],
  )
}

/** What it did, in one line of its output. Never throws. */
export function readBrowserDone(line: string): readonly DoneCall[] {
  if (!line.startsWith(calledStart)) return []
  const read = calledSchema.safeParse(parsed(line))
  if (!read.success) return []
  const { type: _type, ...call } = read.data
  const isReport = call.server === ownServer && call.tool === 'report_step'
  return [isReport ? { kind: 'report', isAccepted: !call.isError } : { kind: 'mcp', ...call }]
}

const calledStart = '{"type":"called"'

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined // A torn line.
  }
}

const calledSchema = z.object({
  type: z.literal('called'),
  server: z.string(),
  tool: z.string(),
  input: z.record(z.string(), z.unknown()),
  isError: z.boolean(),
  output: z.string(),
})

const eventSchema = z.discriminatedUnion('type', [...ownEventSchemas, calledSchema])
