import { z } from 'zod'
import type { AgentEvent, ActivityKind } from './agent.ts'
import { ownTools } from './report-access.ts'

/**
 * Events in one JSON line of a stream: `toEvents` for a line that `schema` knows, else one `unknown` event that keeps
 * it, or none for a blank line. Never throws unless `toEvents` does.
 */
export function readEventLine<T>(
  line: string,
  schema: z.ZodType<T>,
  toEvents: (entry: T) => readonly AgentEvent[],
): readonly AgentEvent[] {
  const start = line.trimStart()
  if (start === '') return []
  // An event is an object. An error for each line of a flood of other output would take ten times as long.
  const known = start.startsWith('{') ? schema.safeParse(parseJsonLine(line)) : undefined
  return known?.success ? toEvents(known.data) : [{ type: 'unknown', raw: line }]
}

function parseJsonLine(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    // Not JSON: a warning of the program, a torn line.
    return undefined
  }
}

const timed = z.object({ timestamp: z.iso.datetime().transform((text) => Date.parse(text)) })

/** The events of a line of a transcript, with the time that the line tells: it is read later than it was written. */
export function withTimes(line: string, events: readonly AgentEvent[]): readonly AgentEvent[] {
  if (!events.some(({ type }) => type === 'tool-result')) return events
  const read = timed.safeParse(JSON.parse(line))
  if (!read.success) return events
  const endedAtMs = read.data.timestamp
  return events.map((event) => (event.type === 'tool-result' ? { ...event, endedAtMs } : event))
}

/** A refused tool call, as `AgentEvent` has it. */
type Denial = Extract<AgentEvent, { readonly type: 'denial' }>

/** One denial for each refused call, in the order they were refused; a later one that names a rule replaces. */
export function mergeDenials(denials: readonly Denial[]): readonly Denial[] {
  const merged = new Map<string, Denial>()
  denials.forEach((denial, index) => {
    const key = denial.id ?? `without id ${index}`
    const known = merged.get(key)
    if (known === undefined || (known.rule === undefined && denial.rule !== undefined)) merged.set(key, denial)
  })
  return [...merged.values()]
}

/** Whether the arguments of a tool are told with its call: it may repeat them. Those of mdtest's own are reports. */
export function tellsInput(kind: ActivityKind, tool: string): boolean {
  return (kind === 'browser' || kind === 'mcp' || kind === 'web') && !tool.startsWith(ownTools)
}
