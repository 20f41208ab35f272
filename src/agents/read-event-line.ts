import type { z } from 'zod'
import type { AgentEvent } from './agent.ts'

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
