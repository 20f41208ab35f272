import { z } from 'zod'
import type { AgentEvent } from '../agent.ts'
import { errorCause } from '../error-cause.ts'
import { readEventLine, withTimes } from '../agent-events.ts'
import { sessionTokens, sessionUsageShape } from './claude-tokens.ts'
import { readClaudeEvents } from './read-claude-events.ts'

/** Events in one line of Claude Code's transcript, or of what its hooks get. Never throws. */
export function readClaudeTranscript(line: string): readonly AgentEvent[] {
  const [event] = readEventLine(line, noteSchema, noteEvents)
  if (event !== undefined && event.type !== 'unknown') return [event]
  // Messages are those of the event stream.
  const events = [...readEventLine(line, lineSchema, toEvents), ...readClaudeEvents(line)]
  return withTimes(
    line,
    events.filter(({ type }) => type !== 'unknown'),
  )
}

/** The transcript that a hook is told of. */
export function transcriptPathIn(line: string): string | undefined {
  const note = noteSchema.safeParse(parse(line))
  return note.success ? note.data.transcript_path : undefined
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined // Not written to its end yet.
  }
}

const text = z.string().optional().catch(undefined)

const noteSchema = z.object({
  hook_event_name: z.enum(['SessionStart', 'Stop']),
  transcript_path: z.string(),
  session_id: text,
  model: text,
})

function noteEvents({ hook_event_name: name, session_id: sessionId, model }: z.infer<typeof noteSchema>): AgentEvent[] {
  if (name === 'Stop') return [{ type: 'end', isError: false }]
  return [{ type: 'opened', ...(sessionId !== undefined && { sessionId }), ...(model !== undefined && { model }) }]
}

const lineSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('user'),
    // There for a call that a rule or a person has refused.
    toolDenialKind: z.string(),
    message: z.object({ content: z.array(z.object({ type: z.string(), tool_use_id: text })) }),
  }),
  z.object({
    type: z.literal('assistant'),
    isApiErrorMessage: z.literal(true),
    apiErrorStatus: z.number().optional().catch(undefined),
    message: z.object({ content: z.array(z.object({ text })) }),
  }),
  z.object({
    type: z.literal('cost-state'),
    totalCostUSD: z.number().optional().catch(undefined),
    ...sessionUsageShape,
  }),
])

function toEvents(entry: z.infer<typeof lineSchema>): readonly AgentEvent[] {
  switch (entry.type) {
    case 'user':
      return entry.message.content.flatMap(({ tool_use_id: id }) =>
        id === undefined ? [] : [{ type: 'denial', id, what: 'a tool call that was refused in the terminal' }],
      )
    case 'assistant': {
      const message = entry.message.content.map((block) => block.text ?? '').join(' ')
      const status = entry.apiErrorStatus
      return [{ type: 'error', cause: errorCause(message, status), message, ...(status !== undefined && { status }) }]
    }
    case 'cost-state': {
      const tokens = sessionTokens(entry)
      const { totalCostUSD: costUsd } = entry
      return tokens === undefined ? [] : [{ type: 'usage', ...tokens, ...(costUsd !== undefined && { costUsd }) }]
    }
  }
}
