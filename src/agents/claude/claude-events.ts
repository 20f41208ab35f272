import { z } from 'zod'
import { bashRule } from '../../system/text/suggest-rule.ts'
import { withoutUndefined } from '../../system/without-undefined.ts'
import type { AgentEvent, ToolCall } from '../agent.ts'
import {
  count,
  fieldsOf,
  lenient,
  mcpCall,
  names,
  number,
  readEventLine,
  text,
  textOf,
  textOfParts,
  webRule,
  type Fields,
} from '../agent-events.ts'
import { statusIn, toErrorEvent } from '../provider-errors.ts'
import { ownServer } from '../report-access.ts'

/** Reads a line of `claude -p --output-format stream-json --verbose` or of a session file. Never throws. */
export function readClaudeEvents(line: string): readonly AgentEvent[] {
  return readEventLine(line, lineSchema, toEvents)
}

function toEvents(entry: Line): readonly AgentEvent[] {
  switch (entry.type) {
    case 'system':
      return systemEvents(entry)
    case 'assistant': {
      const errors = ownErrors(entry)
      if (errors.length > 0) return errors
      return [...entry.message.content.flatMap(assistantEvents), ...requestEvents(entry)]
    }
    case 'user':
      return typeof entry.message.content === 'string' ? [] : entry.message.content.flatMap(resultEvents)
    case 'result':
      return endEvents(entry)
    case 'cost-state':
      return usageEvents(entry, { costUsd: entry.totalCostUSD })
  }
}

const input = z.record(z.string(), z.unknown()).catch({})

const requestUsage = z
  .object({
    ...{ input_tokens: count, cache_creation_input_tokens: count, cache_read_input_tokens: count },
    output_tokens: count,
  })
  .transform(({ output_tokens: outputTokens, ...inputs }) => ({ inputTokens: sum(inputs), outputTokens }))

const modelUsage = z
  .object({
    ...{ inputTokens: count, cacheCreationInputTokens: count, cacheReadInputTokens: count },
    outputTokens: count,
    contextWindow: number,
  })
  .transform(({ outputTokens, contextWindow, ...inputs }) => ({
    inputTokens: sum(inputs),
    outputTokens,
    contextWindow,
  }))

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, one) => total + one, 0)
}

const sessionUsage = z.object({ usage: lenient(requestUsage), modelUsage: z.record(z.string(), modelUsage).catch({}) })

const block = z.object({ type: z.string(), id: text, name: text, text, input })
const resultBlock = z.object({
  type: z.string(),
  tool_use_id: text,
  content: z.unknown().optional(),
  is_error: lenient(z.boolean()),
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
    message: z.object({ id: text, model: text, content: z.array(block), usage: lenient(requestUsage) }),
  }),
  z.object({ type: z.literal('user'), message: z.object({ content: z.union([z.string(), z.array(resultBlock)]) }) }),
  z.object({
    type: z.literal('result'),
    subtype: text,
    result: text,
    structured_output: z.unknown().optional(),
    api_error_status: number,
    total_cost_usd: number,
    num_turns: number,
    // Only an explicit `false` means success.
    is_error: z.boolean().catch(true),
    ...sessionUsage.shape,
    permission_denials: z.array(z.object({ tool_name: z.string(), tool_use_id: text, tool_input: input })).catch([]),
    errors: z.array(z.string()).catch([]),
  }),
  z.object({ type: z.literal('cost-state'), totalCostUSD: number, ...sessionUsage.shape }),
])

type Line = z.infer<typeof lineSchema>

function systemEvents(entry: Extract<Line, { type: 'system' }>): readonly AgentEvent[] {
  const { subtype, session_id: sessionId, model, claude_code_version: version, message = 'refused' } = entry
  if (subtype === 'init') {
    const opened = { type: 'opened' as const, ...withoutUndefined({ sessionId, model, version }) }
    return [opened, ...entry.mcp_servers.flatMap(serverEvents)]
  }
  if (subtype !== 'permission_denied') return []
  // For a compound command such as `a && b`, the message names only the refused part.
  const part = /requires approval: (.+)$/s.exec(message)?.[1]
  const what = `${entry.tool_name ?? 'tool call'}: ${message}`
  return [{ type: 'denial', what, ...withoutUndefined({ id: entry.tool_use_id, rule: part && bashRule(part) }) }]
}

/** An error if mdtest's server is not connected. A `pending` server may still connect. */
function serverEvents({ name, status }: { readonly name: string; readonly status: string }): readonly AgentEvent[] {
  if (name !== ownServer || status === 'connected' || status === 'pending') return []
  return [{ type: 'error', cause: 'mcp', message: `Claude Code says of the MCP server \`${name}\`: ${status}.` }]
}

function assistantEvents({ type, id, name, input, text: said }: z.infer<typeof block>): readonly AgentEvent[] {
  if (type === 'text') return said === undefined ? [] : [{ type: 'text', text: said }]
  return type === 'tool_use' && id !== undefined && name !== undefined ? [claudeCall(id, name, input)] : []
}

/** Errors that Claude Code writes instead of a model's answer, even in a run whose result says `success`. */
function ownErrors({ message: { model, content } }: Extract<Line, { type: 'assistant' }>): readonly AgentEvent[] {
  const said = content.map((one) => one.text ?? '').join(' ')
  return model !== '<synthetic>' || harmless.test(said) ? [] : [toErrorEvent(said, statusIn(said))]
}

const harmless = /^\s*(?:No response requested\.|\(no content\))?\s*$/i

function resultEvents({ type, tool_use_id: id, ...content }: z.infer<typeof resultBlock>): readonly AgentEvent[] {
  if (type !== 'tool_result' || id === undefined) return []
  const told = textOfParts(content.content)
  const isError = content.is_error === true
  // Claude Code prints the exit code of a failed command only in front of the command's output.
  const [line = '', code] = (isError && /^Exit code (\d+)\n?/.exec(told)) || []
  const output = told.slice(line.length)
  return [{ type: 'tool-result', id, isError, output, ...(code !== undefined && { exitCode: Number(code) }) }]
}

/** Tokens at the beginning of an answer. The input is complete, but most of the output is not counted yet. */
function requestEvents({ message, parent_tool_use_id: parent }: Extract<Line, { type: 'assistant' }>): AgentEvent[] {
  const { id, usage } = message
  if (id === undefined || usage === undefined) return []
  return [{ type: 'tokens', id, ...usage, ...(parent !== undefined && { isOfHelper: true }) }]
}

function endEvents(entry: Extract<Line, { type: 'result' }>): readonly AgentEvent[] {
  const denials = entry.permission_denials.map(
    ({ tool_name: tool, tool_input: given, tool_use_id: id }): AgentEvent => {
      const { title } = claudeCall('', tool, given)
      return { type: 'denial', what: title, ...withoutUndefined({ id, rule: claudeRule(tool, given) }) }
    },
  )
  const spent = usageEvents(entry, { costUsd: entry.total_cost_usd, turns: entry.num_turns })
  const answer = entry.structured_output
  const answers: readonly AgentEvent[] = answer === undefined ? [] : [{ type: 'answer', value: answer }]
  const errors = entry.is_error ? [resultErrorEvent(entry)] : []
  return [...denials, ...spent, ...answers, ...errors, { type: 'end', isError: entry.is_error }]
}

/** Prefers `modelUsage`, because `usage` lacks the request that exceeded a budget. */
function usageEvents(
  { usage, modelUsage: byModel }: z.infer<typeof sessionUsage>,
  more: { readonly costUsd: number | undefined; readonly turns?: number | undefined },
): readonly AgentEvent[] {
  const models = Object.values(byModel)
  const parts = models.length === 0 && usage !== undefined ? [usage] : models
  if (parts.length === 0) return []
  // The main model has the most input. Other models only do small jobs.
  const [main] = models.toSorted((one, other) => other.inputTokens - one.inputTokens)
  return [
    {
      type: 'usage',
      inputTokens: parts.reduce((sum, { inputTokens }) => sum + inputTokens, 0),
      outputTokens: parts.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
      ...withoutUndefined({ ...more, contextWindow: main?.contextWindow }),
    },
  ]
}

function resultErrorEvent(entry: Extract<Line, { type: 'result' }>): AgentEvent {
  const { subtype, result, errors, api_error_status: status } = entry
  // `subtype` can be `success` even for a failed request, so it counts only if it names an error.
  const message = [subtype === 'success' ? undefined : subtype, result, ...errors].filter(Boolean).join(': ')
  return toErrorEvent(message || 'Claude Code reports an error without saying which.', status)
}

/** The rule that would allow a refused call, with the variables before the program: `Bash(CI=1 npm *)`. */
export function claudeRule(tool: string, input: Fields): string | undefined {
  const { command, file_path: file, url } = input
  if (tool === 'Bash') return typeof command === 'string' ? bashRule(command) : undefined
  // In rules two slashes begin an absolute path.
  if (typeof file === 'string' && (tool === 'Write' || tool === 'Edit'))
    return file.startsWith('/') ? `Edit(/${file})` : `Edit(${file})`
  return tool === 'WebFetch' && typeof url === 'string' ? webRule(url) : tool
}

const housekeeping = `
  ToolSearch TodoWrite TaskCreate TaskUpdate TaskList TaskGet EnterPlanMode ExitPlanMode AskUserQuestion Skill
  ListMcpResourcesTool`

type Known = Pick<ToolCall, 'kind' | 'use'>

const tools: ReadonlyMap<string, Known> = new Map([
  ...like('Bash BashOutput KillShell Monitor PowerShell', { kind: 'command' }),
  ...like('Read', { kind: 'file', use: 'numbered' }),
  ...like('Write Edit MultiEdit NotebookEdit', { kind: 'file', use: 'edit' }),
  ...like('Grep', { kind: 'file', use: 'search' }),
  ...like('Glob LS', { kind: 'file', use: 'list' }),
  ...like('WebFetch WebSearch', { kind: 'web' }),
  ...like(housekeeping, { kind: 'other', use: 'housekeeping' }),
])

function like(text: string, known: Known): readonly (readonly [string, Known])[] {
  return names(text).map((name) => [name, known])
}

export function claudeCall(id: string, tool: string, input: Fields): ToolCall {
  const file = textOf(input.file_path) ?? textOf(input.notebook_path)
  const subject = textOf(input.command) ?? file ?? textOf(input.url) ?? textOf(input.query) ?? textOf(input.pattern)
  const title = subject === undefined ? tool : tool === 'Bash' ? subject : `${tool} ${subject}`
  const files = file === undefined ? [] : [file]
  if (tool.startsWith('mcp__')) return { ...mcpCall(id, tool, input), title, files }
  const { kind, use }: Known = tools.get(tool) ?? { kind: 'other' }
  const written = kind === 'file' ? writtenIn(input) : []
  return {
    ...{ type: 'tool-call', id, kind, tool, title, files },
    ...(use !== undefined && { use }),
    // Keep the arguments: output that only repeats them is no evidence.
    ...(kind === 'web' && { input }),
    ...(written.length > 0 && { written }),
  }
}

function writtenIn(input: Fields): string[] {
  const edits = Array.isArray(input.edits) ? input.edits.map((edit: unknown) => fieldsOf(edit).new_string) : []
  return [input.content, input.new_string, input.new_source, ...edits].flatMap((one) => textOf(one) ?? [])
}
