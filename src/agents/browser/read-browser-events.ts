import { z } from 'zod'
import type { AgentEvent } from '../agent.ts'
import { readEventLine } from '../agent-events.ts'

/** Events in one line of the output of our own agent: it prints them as they are. Never throws. */
export function readBrowserEvents(line: string): readonly AgentEvent[] {
  return readEventLine(line, eventSchema, (event) => [event])
}

/** One event as a line of that output. */
export function formatBrowserEvent(event: AgentEvent): string {
  return `${JSON.stringify(event)}\n`
}

const text = z.string()
const count = z.number()
const kind = z.enum(['command', 'file', 'browser', 'mcp', 'web', 'other'])

const eventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('opened'), model: text.exactOptional() }),
  z.object({ type: z.literal('tool-call'), id: text, kind, tool: text, title: text, files: z.array(text) }),
  z.object({ type: z.literal('tool-result'), id: text, isError: z.boolean(), output: text }),
  z.object({ type: z.literal('text'), text }),
  z.object({ type: z.literal('image'), file: text, step: text.exactOptional() }),
  z.object({ type: z.literal('tokens'), id: text, inputTokens: count, outputTokens: count }),
  z.object({ type: z.literal('usage'), inputTokens: count, outputTokens: count, turns: count.exactOptional() }),
  z.object({
    type: z.literal('error'),
    cause: z.enum(['auth', 'budget', 'mcp', 'browser', 'model', 'no-verdict', 'other']),
    message: text,
    status: count.exactOptional(),
  }),
  z.object({ type: z.literal('end'), isError: z.boolean() }),
])
