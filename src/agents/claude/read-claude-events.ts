import { z } from 'zod'
import type { AgentEvent } from '../agent.ts'
import { errorCause } from '../error-cause.ts'
import { tellsInput, readEventLine } from '../agent-events.ts'
import { ownTools } from '../report-access.ts'
import { contextWindow, requestTokens, requestUsageSchema, sessionTokens, sessionUsageShape } from './claude-tokens.ts'
import { describeClaudeTool } from './claude-tool.ts'
import { bashRule } from '../../system/text/quoting.ts'

/** Events in one line of `claude -p --output-format stream-json --verbose`. Never throws. */
export function readClaudeEvents(line: string): readonly AgentEvent[] {
  return readEventLine(line, lineSchema, toEvents)
}

function toEvents(entry: Line): readonly AgentEvent[] {
  switch (entry.type) {
    case 'system':
      return systemEvents(entry)
    case 'assistant':
      return [...entry.message.content.flatMap(assistantEvents), ...requestEvents(entry)]
    case 'user':
      return typeof entry.message.content === 'string' ? [] : entry.message.content.flatMap(resultEvents)
    case 'result':
      return endEvents(entry)
  }
}

// A field that a later version drops or changes must not cost the rest of the line: hence `catch`.
const text = z.string().optional().catch(undefined)
const count = z.number().optional().catch(undefined)
const input = z.record(z.string(), z.unknown()).catch({})

const block = z.object({ type: z.string(), id: text, name: text, text, input })
const resultBlock = z.object({
  type: z.string(),
  tool_use_id: text,
  content: z.unknown().optional(),
  is_error: z.boolean().optional().catch(undefined),
})

const lineSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('system'),
    subtype: text,
    session_id: text,
    model: text,
    claude_code_version: text,
    tool_name: text,
    tool_use_id: text,
    message: text,
    mcp_servers: z.array(z.object({ name: z.string(), status: z.string() })).catch([]),
  }),
  z.object({
    type: z.literal('assistant'),
    parent_tool_use_id: text,
    message: z.object({ id: text, content: z.array(block), usage: requestUsageSchema }),
  }),
  z.object({
    type: z.literal('user'),
    message: z.object({ content: z.union([z.string(), z.array(resultBlock)]) }),
  }),
  z.object({
    type: z.literal('result'),
    subtype: text,
    result: text,
    structured_output: z.unknown().optional(),
    api_error_status: count,
    total_cost_usd: count,
    num_turns: count,
    // Only an explicit `false` is a good end.
    is_error: z.boolean().catch(true),
    ...sessionUsageShape,
    permission_denials: z
      .array(
        z.object({
          tool_name: z.string(),
          tool_use_id: text,
          tool_input: input,
        }),
      )
      .catch([]),
    errors: z.array(z.string()).catch([]),
  }),
])

type Line = z.infer<typeof lineSchema>

function systemEvents(entry: Extract<Line, { type: 'system' }>): readonly AgentEvent[] {
  if (entry.subtype === 'init') {
    return [
      {
        type: 'opened',
        ...defined('sessionId', entry.session_id),
        ...defined('model', entry.model),
        ...defined('version', entry.claude_code_version),
      },
      ...entry.mcp_servers.flatMap(serverEvents),
    ]
  }
  if (entry.subtype !== 'permission_denied') return []
  // The call's own input is not in this line; of a compound command the message names the refused part.
  const part = /requires approval: (.+)$/s.exec(entry.message ?? '')?.[1]
  const what = `${entry.tool_name ?? 'tool call'}: ${entry.message ?? 'refused'}`
  return [
    {
      type: 'denial',
      what,
      ...defined('id', entry.tool_use_id),
      ...defined('rule', part === undefined ? undefined : bashRule(part)),
    },
  ]
}

/** A server that is still `pending` may yet come. */
function serverEvents({ name, status }: { readonly name: string; readonly status: string }): readonly AgentEvent[] {
  if (name !== 'mdtest' || status === 'connected' || status === 'pending') return []
  return [{ type: 'error', cause: 'mcp', message: `Claude Code says of the MCP server \`${name}\`: ${status}.` }]
}

function assistantEvents(content: z.infer<typeof block>): readonly AgentEvent[] {
  if (content.type === 'text') return content.text === undefined ? [] : [{ type: 'text', text: content.text }]
  if (content.type !== 'tool_use' || content.id === undefined || content.name === undefined) return []
  const { written, ...described } = describeClaudeTool(content.name, content.input)
  return [
    {
      type: 'tool-call',
      id: content.id,
      tool: content.name,
      ...described,
      ...(tellsInput(described.kind, content.name) && { input: content.input }),
      ...(content.name.startsWith(ownTools) && { reported: content.input }),
      ...(written.length > 0 && { written }),
    },
  ]
}

function resultEvents(content: z.infer<typeof resultBlock>): readonly AgentEvent[] {
  if (content.type !== 'tool_result' || content.tool_use_id === undefined) return []
  const output = textOf(content.content)
  const isError = content.is_error === true
  // Claude Code puts the exit code of a failed command in front of its output and nowhere else.
  const code = isError ? /^Exit code (\d+)/.exec(output)?.[1] : undefined
  return [
    {
      type: 'tool-result',
      id: content.tool_use_id,
      isError,
      output,
      ...defined('exitCode', code === undefined ? undefined : Number(code)),
    },
  ]
}

function endEvents(entry: Extract<Line, { type: 'result' }>): readonly AgentEvent[] {
  const denials = entry.permission_denials.map((denial): AgentEvent => {
    const { title } = describeClaudeTool(denial.tool_name, denial.tool_input)
    const rule = claudeRule(denial.tool_name, denial.tool_input)
    return { type: 'denial', what: title, ...defined('id', denial.tool_use_id), ...defined('rule', rule) }
  })
  const tokens = sessionTokens(entry)
  const spent: readonly AgentEvent[] =
    tokens === undefined
      ? []
      : [
          {
            type: 'usage',
            ...tokens,
            ...defined('costUsd', entry.total_cost_usd),
            ...defined('turns', entry.num_turns),
            ...defined('contextWindow', contextWindow(entry)),
          },
        ]
  const errors = entry.is_error ? [errorEvent(entry)] : []
  const answer = entry.structured_output
  const answers: readonly AgentEvent[] = answer === undefined ? [] : [{ type: 'answer', value: answer }]
  return [...denials, ...spent, ...answers, ...errors, { type: 'end', isError: entry.is_error }]
}

/** What a request has used when its answer begins: all that goes in, little of what comes out. */
function requestEvents({ message, parent_tool_use_id: parent }: Extract<Line, { type: 'assistant' }>): AgentEvent[] {
  const { id, usage } = message
  if (id === undefined || usage === undefined) return []
  return [{ type: 'tokens', id, ...requestTokens(usage), ...(parent !== undefined && { isOfHelper: true }) }]
}

/** `subtype` says `success` for a request that failed, so it counts only where it names an error. */
function errorEvent(entry: Extract<Line, { type: 'result' }>): AgentEvent {
  const subtype = entry.subtype === 'success' ? undefined : entry.subtype
  const message = [subtype, entry.result, ...entry.errors]
    .filter((part) => part !== undefined && part !== '')
    .join(': ')
  const status = entry.api_error_status
  return {
    type: 'error',
    cause: errorCause(message, status),
    message: message === '' ? 'Claude Code reports an error without saying which.' : message,
    ...defined('status', status),
  }
}

/** `{ [key]: value }`, or nothing to spread where there is no value. */
function defined<K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]: V }) // a computed key widens to string
}

/** The text in the content of a message or of a tool's result. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .map((part: unknown) => (typeof part === 'object' && part !== null && 'text' in part ? String(part.text) : ''))
    .join('\n')
}

/**
 * The permission rule that would let a refused call of Claude Code through, or `undefined` where no rule does.
 * A rule covers a simple command from its start, so a variable before the program belongs to it
 * (`Bash(CI=1 npm *)`), and of a compound command only the refused part needs one.
 */
export function claudeRule(tool: string, input: Readonly<Record<string, unknown>>): string | undefined {
  if (tool === 'Bash') return typeof input.command === 'string' ? bashRule(input.command) : undefined
  if (typeof input.file_path === 'string' && (tool === 'Write' || tool === 'Edit')) return editRule(input.file_path)
  if (tool === 'WebFetch' && typeof input.url === 'string') return webRule(input.url)
  return tool
}

/** A path from the root of the file system is written with two slashes. */
function editRule(file: string): string {
  return file.startsWith('/') ? `Edit(/${file})` : `Edit(${file})`
}

function webRule(url: string): string {
  return URL.canParse(url) ? `WebFetch(domain:${new URL(url).hostname})` : 'WebFetch'
}
