import { z } from 'zod'
import type { AgentEvent } from '../agent.ts'
import { errorCause } from '../error-cause.ts'
import { readEventLine } from '../agent-events.ts'
import { codexCall, codexResult, itemSchema } from './codex-item.ts'

/**
 * Events in one line of `codex exec --json`. Never throws. What codex's sandbox or its policy stops, a command or a
 * patch, leaves no trace in the stream (seen with 0.169.0), so a denial is the exception here.
 */
export function readCodexEvents(line: string): readonly AgentEvent[] {
  return readEventLine(line, lineSchema, (entry) => toEvents(entry, line))
}

function toEvents(entry: z.infer<typeof lineSchema>, line: string): readonly AgentEvent[] {
  switch (entry.type) {
    case 'thread.started':
      return [{ type: 'opened', ...(entry.thread_id === undefined ? {} : { sessionId: entry.thread_id }) }]
    case 'turn.started':
    case 'item.updated':
      return []
    case 'item.started':
      return codexCall(entry.item)
    case 'item.completed':
      return codexResult(entry.item) ?? [{ type: 'unknown', raw: line }]
    case 'turn.completed':
      return [...usageEvents(entry.usage), { type: 'end', isError: false }]
    case 'turn.failed':
      return [errorEvent(entry.error?.message), { type: 'end', isError: true }]
    case 'error':
      // Also written for each "Reconnecting… 1/5" of a run that ends well. What ends a run is `turn.failed`.
      return [{ type: 'unknown', raw: line }]
  }
}

const count = z.number().optional().catch(undefined)

const lineSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('thread.started'), thread_id: z.string().optional().catch(undefined) }),
  z.object({ type: z.literal('turn.started') }),
  z.object({ type: z.literal('item.updated') }),
  z.object({ type: z.literal('item.started'), item: itemSchema }),
  z.object({ type: z.literal('item.completed'), item: itemSchema }),
  z.object({
    type: z.literal('turn.completed'),
    usage: z.object({ input_tokens: count, output_tokens: count }).optional().catch(undefined),
  }),
  z.object({
    type: z.literal('turn.failed'),
    error: z.object({ message: z.string() }).optional().catch(undefined),
  }),
  z.object({ type: z.literal('error') }),
])

function usageEvents(
  usage: { input_tokens?: number | undefined; output_tokens?: number | undefined } | undefined,
): readonly AgentEvent[] {
  if (usage === undefined) return []
  return [{ type: 'usage', inputTokens: usage.input_tokens ?? 0, outputTokens: usage.output_tokens ?? 0 }]
}

function errorEvent(message = 'Codex reports a failed turn without saying why.'): AgentEvent {
  const digits = /\bstatus:? (\d{3})\b/.exec(message)?.[1]
  const status = digits === undefined ? undefined : Number(digits)
  return { type: 'error', cause: errorCause(message, status), message, ...(status === undefined ? {} : { status }) }
}

/** Events in one line of codex's standard error. Without a required MCP server it ends before its stream begins. */
export function readCodexDiagnostics(line: string): readonly AgentEvent[] {
  const message = /^Error: .*?(required MCP servers failed to initialize: .{1,200})/.exec(line)?.[1]
  return message === undefined ? [] : [{ type: 'error', cause: 'mcp', message: `${message}.` }]
}
