import { z } from 'zod'
import { splitWords } from '../../system/text/shell-and-regex-quotes.ts'
import { withoutUndefined } from '../../system/without-undefined.ts'
import type { AgentEvent, ToolCall } from '../agent.ts'
import { count, lenient, mcpCall, number, readEventLine, text, textOfParts } from '../agent-events.ts'
import { toErrorEvent } from '../provider-errors.ts'

/** Reads a line of `codex exec --json` or of a session file. Never throws. */
export function readCodexEvents(line: string): readonly AgentEvent[] {
  return readEventLine(line, lineSchema, (entry) => toEvents(entry) ?? [{ type: 'unknown', raw: line }])
}

function toEvents(entry: z.infer<typeof lineSchema>): readonly AgentEvent[] | undefined {
  switch (entry.type) {
    case 'thread.started':
      return [{ type: 'opened', ...withoutUndefined({ sessionId: entry.thread_id }) }]
    case 'turn.started':
    case 'item.updated':
      return []
    case 'item.started':
      return itemCall(entry.item) ?? []
    case 'item.completed':
      return resultOf(entry.item)
    case 'turn.completed':
      return [
        ...(entry.usage === undefined ? [] : [{ type: 'usage' as const, ...entry.usage }]),
        { type: 'end', isError: false },
      ]
    case 'turn.failed':
      return [turnErrorEvent(entry.error?.message), { type: 'end', isError: true }]
    case 'error':
      // Ignore errors such as `Reconnecting… 1/5`. A failed run ends with `turn.failed`.
      return undefined
    case 'event_msg':
      return sessionUsage(entry.payload.info)
  }
}

const usage = z
  .object({ input_tokens: count, output_tokens: count })
  .transform(({ input_tokens: inputTokens, output_tokens: outputTokens }) => ({ inputTokens, outputTokens }))
const message = z.object({ message: z.string() })

const item = z.object({
  id: z.string(),
  type: z.string(),
  text,
  command: text,
  aggregated_output: text,
  status: text,
  server: text,
  tool: text,
  query: text,
  exit_code: number,
  changes: z.array(z.object({ path: z.string(), kind: text })).catch([]),
  arguments: z.unknown().optional(),
  result: lenient(z.object({ content: z.unknown() })),
  error: lenient(message),
})

type Item = z.infer<typeof item>

const sessionInfo = z.object({
  total_token_usage: usage,
  last_token_usage: lenient(usage),
  model_context_window: number,
})

const lineSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('thread.started'), thread_id: text }),
  z.object({ type: z.literal(['turn.started', 'item.updated', 'error']) }),
  z.object({ type: z.literal('item.started'), item }),
  z.object({ type: z.literal('item.completed'), item }),
  z.object({ type: z.literal('turn.completed'), usage: lenient(usage) }),
  z.object({ type: z.literal('turn.failed'), error: lenient(message) }),
  z.object({ type: z.literal('event_msg'), payload: z.object({ type: z.literal('token_count'), info: sessionInfo }) }),
])

function itemCall(item: Item): readonly [ToolCall] | undefined {
  const { id, type: tool, changes, server } = item
  const call = { type: 'tool-call' as const, id, tool }
  switch (tool) {
    case 'command_execution':
      return [{ ...call, kind: 'command', title: unwrapShell(item.command ?? ''), files: [] }]
    case 'file_change': {
      const title = changes.map(({ kind, path }) => `${kind ?? 'change'} ${path}`).join(', ')
      const created = changes.flatMap(({ kind, path }) => (kind === 'add' ? [path] : []))
      const files = changes.map(({ path }) => path)
      return [{ ...call, kind: 'file', use: 'edit', title, files, ...(created.length > 0 && { created }) }]
    }
    case 'mcp_tool_call':
      // Without both names, the call could be one to mdtest's own tool.
      if (server === undefined || item.tool === undefined) return undefined
      return [mcpCall(id, `mcp__${server}__${item.tool}`, item.arguments)]
    case 'web_search':
      return [{ ...call, kind: 'web', title: item.query ?? '', files: [] }]
    default:
      return undefined
  }
}

function resultOf(item: Item): readonly AgentEvent[] | undefined {
  const { id, type, status, error, exit_code: exitCode } = item
  if (type === 'agent_message') return item.text === undefined ? [] : [{ type: 'text', text: item.text }]
  if (type === 'reasoning' || type === 'todo_list') return []
  const [call] = itemCall(item) ?? []
  if (call === undefined) return undefined
  const isError = status === 'failed' || status === 'declined'
  const output = error?.message ?? item.aggregated_output ?? textOfParts(item.result?.content)
  const result: AgentEvent = { type: 'tool-result', id, isError, output, ...withoutUndefined({ exitCode }) }
  // Codex prints only these refusals. Its sandbox refuses most calls without any output (seen with 0.169.0).
  const isRefused = status === 'declined' || /requires approval|rejected by user approval/i.test(error?.message ?? '')
  return isRefused ? [result, { type: 'denial', id, what: call.title }] : [result]
}

/** The command inside `/bin/bash -lc '…'`, as codex shows commands; any other text is returned unchanged. */
export function unwrapShell(command: string): string {
  const [shell = '', flag = '', inner, ...others] = splitWords(command) ?? []
  const isWrapped = /\b(?:bash|zsh|sh)$/.test(shell) && /^-l?c$/.test(flag) && others.length === 0
  return isWrapped && inner !== undefined ? inner : command
}

/** Usage from a session file, which has the last request and the model's context window. The stream lacks both. */
function sessionUsage(info: z.infer<typeof sessionInfo>): readonly AgentEvent[] {
  const { total_token_usage: total, last_token_usage: last, model_context_window: contextWindow } = info
  return [
    ...(last === undefined ? [] : [{ type: 'tokens' as const, id: 'last', ...last }]),
    { type: 'usage', ...total, ...withoutUndefined({ contextWindow }) },
  ]
}

function turnErrorEvent(message = 'Codex reports a failed turn without saying why.'): AgentEvent {
  const digits = /\bstatus:? (\d{3})\b/.exec(message)?.[1]
  return toErrorEvent(message, digits === undefined ? undefined : Number(digits))
}

/** Events in one line of stderr. Only there, codex says that a required MCP server does not start. */
export function readCodexDiagnostics(line: string): readonly AgentEvent[] {
  const message = /^Error: .*?(required MCP servers failed to initialize: .{1,200})/.exec(line)?.[1]
  return message === undefined ? [] : [{ type: 'error', cause: 'mcp', message: `${message}.` }]
}
