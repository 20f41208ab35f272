import { z } from 'zod'
import type { AgentEvent, ToolCall } from '../agent.ts'
import { ownTools } from '../report-access.ts'
import { tellsInput } from '../agent-events.ts'
import { splitWords } from '../../system/text/quoting.ts'

const text = z.string().optional().catch(undefined)

/** An `item` of codex's stream: a tool call, a message, a note. */
export const itemSchema = z.object({
  id: z.string(),
  type: z.string(),
  text,
  command: text,
  aggregated_output: text,
  status: text,
  server: text,
  tool: text,
  query: text,
  exit_code: z.number().nullish().catch(undefined),
  changes: z
    .array(
      z.object({
        path: z.string(),
        kind: text,
      }),
    )
    .catch([]),
  arguments: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.object({ message: z.string() }).nullish().catch(undefined),
})

export type CodexItem = z.infer<typeof itemSchema>

/** Events of an item that began. */
export function codexCall(item: CodexItem): readonly AgentEvent[] {
  const described = describe(item)
  if (described === undefined) return []
  const input =
    item.arguments !== undefined && tellsInput(described.kind, described.tool) ? { input: item.arguments } : {}
  const reported = described.tool.startsWith(ownTools) ? { reported: item.arguments } : {}
  const added = item.changes.filter(({ kind }) => kind === 'add').map(({ path }) => path)
  const created = added.length > 0 ? { created: added } : {}
  return [{ type: 'tool-call', id: item.id, ...described, ...input, ...reported, ...created }]
}

/** Events of an item that is complete, or `undefined` for one that is not known. */
export function codexResult(item: CodexItem): readonly AgentEvent[] | undefined {
  if (item.type === 'agent_message') return item.text === undefined ? [] : [{ type: 'text', text: item.text }]
  if (item.type === 'reasoning' || item.type === 'todo_list') return []
  const described = describe(item)
  if (described === undefined) return undefined
  const isError = item.status === 'failed' || item.status === 'declined'
  const exitCode = item.exit_code ?? undefined
  const result: AgentEvent = {
    type: 'tool-result',
    id: item.id,
    isError,
    output: outputOf(item),
    ...(exitCode === undefined ? {} : { exitCode }),
  }
  return isRefused(item) ? [result, { type: 'denial', id: item.id, what: described.title }] : [result]
}

type Described = Pick<ToolCall, 'kind' | 'tool' | 'use' | 'title' | 'files'>

function describe(item: CodexItem): Described | undefined {
  const tool = item.type
  switch (tool) {
    case 'command_execution':
      return { kind: 'command', tool, title: unwrapShell(item.command ?? ''), files: [] }
    case 'file_change': {
      const title = item.changes.map(({ kind, path }) => `${kind ?? 'change'} ${path}`).join(', ')
      return { kind: 'file', tool, use: 'edit', title, files: item.changes.map(({ path }) => path) }
    }
    case 'mcp_tool_call':
      // Without its names nobody knows whether it was mdtest's own tool.
      return item.server === undefined || item.tool === undefined ? undefined : describeMcp(item.server, item.tool)
    case 'web_search':
      return { kind: 'web', tool, title: item.query ?? '', files: [] }
    default:
      return undefined
  }
}

/** Named as Claude Code names them, so that one rule fits the tools of both. */
function describeMcp(server: string, tool: string): Described {
  const name = `mcp__${server}__${tool}`
  return { kind: /playwright|chrome|browser/i.test(server) ? 'browser' : 'mcp', tool: name, title: name, files: [] }
}

function isRefused({ status, error }: CodexItem): boolean {
  return status === 'declined' || /requires approval|rejected by user approval/i.test(error?.message ?? '')
}

function outputOf(item: CodexItem): string {
  if (item.error) return item.error.message
  if (item.aggregated_output !== undefined) return item.aggregated_output
  return item.type === 'mcp_tool_call' ? textOf(item.result) : ''
}

function textOf(result: unknown): string {
  if (typeof result !== 'object' || result === null || !('content' in result) || !Array.isArray(result.content))
    return ''
  return result.content
    .map((part: unknown) => (typeof part === 'object' && part !== null && 'text' in part ? String(part.text) : ''))
    .join('\n')
}

/** The command inside `/bin/bash -lc '…'`, the way codex shows what it ran; anything else comes back as it is. */
export function unwrapShell(command: string): string {
  const [shell = '', flag = '', inner, ...others] = splitWords(command) ?? []
  const isWrapped = /\b(?:bash|zsh|sh)$/.test(shell) && /^-l?c$/.test(flag) && others.length === 0
  return isWrapped && inner !== undefined ? inner : command
}
