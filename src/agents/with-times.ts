import { z } from 'zod'
import type { AgentEvent } from './agent.ts'

const timed = z.object({ timestamp: z.iso.datetime().transform((text) => Date.parse(text)) })

/** The events of a line of a transcript, with the time that the line tells: it is read later than it was written. */
export function withTimes(line: string, events: readonly AgentEvent[]): readonly AgentEvent[] {
  if (!events.some(({ type }) => type === 'tool-result')) return events
  const read = timed.safeParse(JSON.parse(line))
  if (!read.success) return events
  const endedAtMs = read.data.timestamp
  return events.map((event) => (event.type === 'tool-result' ? { ...event, endedAtMs } : event))
}
