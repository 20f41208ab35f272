import { z } from 'zod'
import type { AgentEvent } from '../agent.ts'
import { errorCause } from '../error-cause.ts'
import { readEventLine, withTimes } from '../agent-events.ts'
import { codexCall, codexResult, itemSchema } from './codex-item.ts'

/** Events in one line of a session that codex keeps (`rollout-….jsonl`). Never throws. */
export function readCodexTranscript(line: string): readonly AgentEvent[] {
  return withTimes(line, readEventLine(line, lineSchema, toEvents))
}

const text = z.string().optional().catch(undefined)
const count = z.number().optional().catch(undefined)

const usage = z.object({ input_tokens: count, output_tokens: count })

const lineSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('session_meta'), payload: z.object({ id: text }) }),
  z.object({ type: z.literal('turn_context'), payload: z.object({ model: text }) }),
  z.object({
    type: z.literal('response_item'),
    payload: z.object({
      type: z.literal('function_call'),
      call_id: z.string(),
      name: z.string(),
      namespace: z.string(),
    }),
  }),
  z.object({
    type: z.literal('event_msg'),
    payload: z.discriminatedUnion('type', [
      z.object({ type: z.literal('item_completed'), item: z.record(z.string(), z.unknown()) }),
      z.object({
        type: z.literal('token_count'),
        info: z.object({
          total_token_usage: usage,
          last_token_usage: usage.optional().catch(undefined),
          model_context_window: count,
        }),
      }),
      z.object({ type: z.literal('error'), message: z.string() }),
      z.object({ type: z.literal('task_complete') }),
      z.object({ type: z.literal('turn_aborted') }),
    ]),
  }),
])

type Line = z.infer<typeof lineSchema>

function toEvents(entry: Line): readonly AgentEvent[] {
  switch (entry.type) {
    case 'session_meta':
      return [{ type: 'opened', ...(entry.payload.id !== undefined && { sessionId: entry.payload.id }) }]
    case 'turn_context':
      return entry.payload.model === undefined ? [] : [{ type: 'opened', model: entry.payload.model }]
    case 'response_item': {
      // Other calls are told of when they are over; a report has to be seen while it waits for its answer.
      const { call_id: id, name, namespace } = entry.payload
      const server = /^mcp__(.+)$/.exec(namespace)?.[1]
      return server === undefined ? [] : codexCall(itemSchema.parse({ id, type: 'mcp_tool_call', server, tool: name }))
    }
    case 'event_msg':
      return messageEvents(entry.payload)
  }
}

function messageEvents(message: Extract<Line, { type: 'event_msg' }>['payload']): readonly AgentEvent[] {
  switch (message.type) {
    case 'item_completed':
      return itemEvents(message.item)
    case 'token_count': {
      const { total_token_usage: total, last_token_usage: last, model_context_window: contextWindow } = message.info
      const request: readonly AgentEvent[] = last === undefined ? [] : [{ type: 'tokens', id: 'last', ...tokens(last) }]
      return [...request, { type: 'usage', ...tokens(total), ...(contextWindow !== undefined && { contextWindow }) }]
    }
    case 'error':
      return [{ type: 'error', cause: errorCause(message.message, undefined), message: message.message }]
    case 'task_complete':
    case 'turn_aborted':
      return [{ type: 'end', isError: message.type === 'turn_aborted' }]
  }
}

function tokens({ input_tokens: inputTokens = 0, output_tokens: outputTokens = 0 }: z.infer<typeof usage>): {
  readonly inputTokens: number
  readonly outputTokens: number
} {
  return { inputTokens, outputTokens }
}

/** The items of `codex exec --json` under other names. */
function itemEvents(item: Readonly<Record<string, unknown>>): readonly AgentEvent[] {
  const type = String(item.type)
    .replaceAll(/\B[A-Z]/g, '_$&')
    .toLowerCase()
  const read = itemSchema.safeParse({
    ...item,
    type,
    text: textOf(item.content),
    command: commandOf(item.command),
    changes: changesOf(item.changes),
  })
  if (!read.success) return []
  return [...codexCall(read.data), ...(codexResult(read.data) ?? [])]
}

function textOf(content: unknown): string | undefined {
  const parts = z.array(z.object({ text: z.string() })).safeParse(content)
  return parts.success ? parts.data.map((part) => part.text).join('') : undefined
}

/** `['/bin/bash', '-lc', 'the command']`. */
function commandOf(argv: unknown): string | undefined {
  const words = z.array(z.string()).safeParse(argv)
  return words.success ? (words.data[1]?.startsWith('-') ? words.data.slice(2) : words.data).join(' ') : undefined
}

function changesOf(changes: unknown): unknown {
  if (typeof changes !== 'object' || changes === null) return undefined
  return Object.entries(changes).map(([path, change]: [string, unknown]) => ({ path, kind: kindOf(change) }))
}

function kindOf(change: unknown): unknown {
  return typeof change === 'object' && change !== null && 'type' in change ? change.type : undefined
}
