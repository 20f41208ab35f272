import type { ActivityKind, ToolCall, ToolUse } from '../agent.ts'
import { mcpCall } from '../agent-events.ts'

const fileTools: ReadonlyMap<string, ToolUse> = new Map([
  ['Read', 'numbered'],
  ['Write', 'edit'],
  ['Edit', 'edit'],
  ['MultiEdit', 'edit'],
  ['NotebookEdit', 'edit'],
  ['Grep', 'search'],
  ['Glob', 'list'],
  ['LS', 'list'],
])
const commandTools = new Set(['Bash', 'BashOutput', 'KillShell', 'Monitor', 'PowerShell'])
const webTools = new Set(['WebFetch', 'WebSearch'])
const housekeepingTools: ReadonlySet<string> = new Set(
  `ToolSearch TodoWrite TaskCreate TaskUpdate TaskList TaskGet EnterPlanMode ExitPlanMode AskUserQuestion Skill
  ListMcpResourcesTool`.split(/\s+/),
)

/** A tool call of Claude Code in the words of the journal. */
export function claudeCall(id: string, tool: string, input: Readonly<Record<string, unknown>>): ToolCall {
  const file = text(input.file_path) ?? text(input.notebook_path)
  const subject = text(input.command) ?? file ?? text(input.url) ?? text(input.query) ?? text(input.pattern)
  const title = subject === undefined ? tool : tool === 'Bash' ? subject : `${tool} ${subject}`
  const files = file === undefined ? [] : [file]
  if (tool.startsWith('mcp__')) return { ...mcpCall(id, tool, input), title, files }
  const kind = kindOf(tool)
  const use = housekeepingTools.has(tool) ? 'housekeeping' : fileTools.get(tool)
  const written = kind === 'file' ? writtenIn(input) : []
  return {
    ...{ type: 'tool-call', id, kind, tool, title, files },
    ...(use !== undefined && { use }),
    // The output may repeat it.
    ...(kind === 'web' && { input }),
    ...(written.length > 0 && { written }),
  }
}

function kindOf(tool: string): ActivityKind {
  if (commandTools.has(tool)) return 'command'
  if (fileTools.has(tool)) return 'file'
  return webTools.has(tool) ? 'web' : 'other'
}

/** Of `Write`, `Edit`, `MultiEdit` and `NotebookEdit`. */
function writtenIn(input: Readonly<Record<string, unknown>>): string[] {
  const edits: unknown[] = Array.isArray(input.edits) ? input.edits : []
  const more = edits.map((edit) =>
    typeof edit === 'object' && edit !== null && 'new_string' in edit ? edit.new_string : undefined,
  )
  return [input.content, input.new_string, input.new_source, ...more].flatMap((one) => text(one) ?? [])
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
