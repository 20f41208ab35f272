import type { ActivityKind, ToolUse, ToolCall } from '../agent.ts'

/** A tool call of Claude Code in the words of the journal. */
export interface ClaudeTool extends Pick<ToolCall, 'kind' | 'use' | 'title' | 'files'> {
  /** What it writes into files. */
  readonly written: readonly string[]
}

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

const housekeepingTools: ReadonlySet<string> = new Set(
  `ToolSearch TodoWrite TaskCreate TaskUpdate TaskList TaskGet EnterPlanMode ExitPlanMode AskUserQuestion Skill
  ListMcpResourcesTool`.split(/\s+/),
)

export function describeClaudeTool(tool: string, input: Readonly<Record<string, unknown>>): ClaudeTool {
  const file = text(input.file_path) ?? text(input.notebook_path)
  const files = file === undefined ? [] : [file]
  const subject = text(input.command) ?? file ?? text(input.url) ?? text(input.query) ?? text(input.pattern)
  const written = fileTools.has(tool) ? writtenIn(input) : []
  const use = housekeepingTools.has(tool) ? 'housekeeping' : fileTools.get(tool)
  const title = subject === undefined ? tool : tool === 'Bash' ? subject : `${tool} ${subject}`
  return { kind: kindOf(tool), ...(use !== undefined && { use }), title, files, written }
}

/** Of `Write`, `Edit`, `MultiEdit` and `NotebookEdit`. */
function writtenIn({
  content,
  new_string: edit,
  new_source: cell,
  edits,
}: Readonly<Record<string, unknown>>): string[] {
  const more: unknown[] = Array.isArray(edits) ? edits.map((each: unknown) => newStringOf(each)) : []
  return [content, edit, cell, ...more].flatMap((one) => text(one) ?? [])
}

function newStringOf(edit: unknown): unknown {
  return typeof edit === 'object' && edit !== null && 'new_string' in edit ? edit.new_string : undefined
}

function kindOf(tool: string): ActivityKind {
  if (commandTools.has(tool)) return 'command'
  if (fileTools.has(tool)) return 'file'
  if (tool === 'WebFetch' || tool === 'WebSearch') return 'web'
  if (/^mcp__[^_]*(playwright|chrome|browser)/i.test(tool)) return 'browser'
  return tool.startsWith('mcp__') ? 'mcp' : 'other'
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
