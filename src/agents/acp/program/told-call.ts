import { withoutUndefined } from '../../../system/without-undefined.ts'
import type { ToolCall, ToolUse } from '../../agent.ts'
import { fieldsOf, mcpCall, textOf, type Fields } from '../../agent-events.ts'
import { ownTools } from '../../report-access.ts'
import type { CallPart } from './acp-messages.ts'

export interface ToldCall {
  /** Id in the journal: the agent's own, with a suffix if the agent uses an id again. */
  readonly id: string
  /** All names of the tool in the messages about this call, in order. */
  readonly names: readonly string[]
  readonly kind?: string
  readonly title?: string
  readonly input: Fields
  readonly files: readonly string[]
  readonly written: readonly string[]
  readonly output: string
  readonly exitCode?: number
}

export const newCall: Omit<ToldCall, 'id'> = { names: [], input: {}, files: [], written: [], output: '' }

export function withPart(call: ToldCall, part: CallPart): ToldCall {
  const { title, rawInput = {}, _meta: meta = {} } = part
  // Some permission requests of OpenCode lack a kind. Keep the kind from earlier messages.
  const kind = part.kind === undefined || part.kind === 'other' ? (call.kind ?? part.kind) : part.kind
  const isCommand = kind === 'execute'
  const input = { ...call.input, ...rawInput }
  // The model's own `description` can be any text, so a title equal to this text is no tool name.
  const shown = title?.trim() === textOf(input.description)?.trim() ? undefined : title
  const name = textOf(meta.toolName) ?? part.name ?? shown
  return {
    id: call.id,
    names: unique([...call.names, name]),
    input,
    files: isCommand ? [] : unique([...call.files, ...filesIn(part)]),
    written: isCommand ? [] : unique([...call.written, ...writtenIn(part)]),
    output: outputOf(part) ?? call.output,
    ...withoutUndefined({
      kind,
      title: title ?? call.title,
      exitCode: isCommand ? (exitCodeOf(part) ?? call.exitCode) : undefined,
    }),
  }
}

/** The command line, which some agents give only as the title; `undefined` if the call is no command. */
export function commandOf({ kind, input, title }: ToldCall): string | undefined {
  return kind === 'execute' ? (textOf(input.command) ?? title) : undefined
}

const uses = new Map(
  Object.entries<ToolUse | 'look'>({ read: 'look', search: 'search', edit: 'edit', delete: 'edit', move: 'edit' }),
)

type Named = Pick<ToldCall, 'kind' | 'names'>

/** Name of the called MCP tool in the journal; `undefined` for a command or a file operation. */
export function toolOf({ kind, names: told }: Named, servers: readonly string[]): string | undefined {
  if (kind === 'execute' || uses.has(kind ?? '')) return undefined
  return told.flatMap((name) => mcpToolName(name, servers) ?? [])[0]
}

/** `isKindGuessed`: ignore the call's kind, because the agent only guessed it. */
export function toEvent(call: ToldCall, servers: readonly string[], isKindGuessed = false): ToolCall {
  const { id, files, written, input } = call
  const mcp = toolOf(isKindGuessed ? { names: call.names } : call, servers)
  if (mcp !== undefined) return mcpCall(id, mcp, mcp.startsWith(ownTools) && !isFilled(input) ? undefined : input)
  const command = commandOf(call)
  const [tool = call.kind ?? 'unknown'] = call.names
  if (command !== undefined) return { type: 'tool-call', id, kind: 'command', tool, title: command, files: [] }
  const use = uses.get(call.kind ?? '')
  if (use !== undefined) {
    const listed = use === 'search' && /glob|list/i.test(tool) ? 'list' : use
    // A text such as `Read notes.md` is a title, not the name of a tool.
    const name = /^[\w-]+$/.test(tool) ? tool : (call.kind ?? tool)
    const title = files.length === 0 ? tool : `${name} ${files.join(', ')}`
    return {
      ...{ type: 'tool-call', id, kind: 'file', tool: name, title, files },
      ...(listed !== 'look' && { use: listed }),
      ...(written.length > 0 && { written }),
    }
  }
  if (call.kind === 'fetch')
    return { type: 'tool-call', id, kind: 'web', tool, title: textOf(input.url) ?? tool, files: [], input }
  // The effect of an unknown tool is unknown, so its call proves nothing.
  return { type: 'tool-call', id, kind: 'other', tool, use: 'housekeeping', title: call.title ?? tool, files: [] }
}

export function isFilled(fields: Fields): boolean {
  return Object.keys(fields).length > 0
}

const fileFields = ['file_path', 'filePath', 'filepath', 'path', 'fileName', 'absolute_path'] as const

function filesIn({ locations, content, rawInput = {} }: CallPart): readonly string[] {
  const ofDiffs = content.flatMap(({ type, path }) => (type === 'diff' ? [path] : []))
  return unique([...locations.map(({ path }) => path), ...ofDiffs, ...fileFields.map((field) => rawInput[field])])
}

const wordFields = ['content', 'file_text', 'newString', 'new_string', 'new_str'] as const

function writtenIn({ content, rawInput = {} }: CallPart): readonly string[] {
  return unique([...content.map(({ newText }) => newText), ...wordFields.map((field) => rawInput[field])])
}

/** The output of a finished call. Each message contains all output so far. */
function outputOf({ status, rawOutput, content }: CallPart): string | undefined {
  if (status !== 'completed' && status !== 'failed') return undefined
  const raw = fieldsOf(rawOutput)
  const shell = shellExitOf(raw)
  const texts = content.flatMap(({ type, content: inner }) => (type === 'content' ? (inner?.text ?? []) : []))
  return (
    // OpenCode: this field has the text of a file without line numbers.
    textOf(fieldsOf(fieldsOf(raw.metadata).display).text) ??
    textOf(raw.output) ??
    textOf(raw.error) ??
    textOf(raw.message) ??
    (shell && (textOf(raw.content)?.replace(shellEnd, '') ?? textOf(shell.outputPreview) ?? '')) ??
    textOf(raw.content) ??
    // Qwen Code: `rawOutput` is empty for a file, because the file's text is in `content`.
    (rawOutput === '' ? undefined : textOf(rawOutput)) ??
    (texts.length > 0 ? texts.join('').replace(/^```\w*\n|\n```$/g, '') : undefined)
  )
}

function exitCodeOf({ rawOutput }: CallPart): number | undefined {
  const raw = fieldsOf(rawOutput)
  const told = [fieldsOf(raw.metadata).exit, raw.exitCode, shellExitOf(raw)?.exitCode]
  return told.find((code): code is number => typeof code === 'number' && Number.isInteger(code))
}

const shellEnd = /\n?<shellId: \S+ completed with exit code -?\d+>$/

/** Copilot CLI adds an entry `shell_exit` when a shell ends. */
function shellExitOf({ contents }: Fields): Fields | undefined {
  const all = Array.isArray(contents) ? contents.map((one: unknown) => fieldsOf(one)) : []
  return all.find(({ type }) => type === 'shell_exit')
}

function unique(values: readonly unknown[]): readonly string[] {
  return [...new Set(values.flatMap((value) => textOf(value) ?? []))]
}

/** Turns an agent's name for an MCP tool, such as `SERVER-TOOL`, into the journal's name `mcp__SERVER__TOOL`. */
export function mcpToolName(name: string, servers: readonly string[]): string | undefined {
  const [, shown, owner] = /^(\w[\w-]*) \((.+) MCP Server\)$/.exec(name) ?? []
  if (shown !== undefined && owner !== undefined) return servers.includes(owner) ? `mcp__${owner}__${shown}` : undefined
  // Longest name first, so that `shop_admin` is not taken for `shop`.
  for (const server of servers.toSorted((one, other) => other.length - one.length)) {
    const starts = [`mcp__${server}__`, `mcp_${server}_`, `${server}__`, `${server}_`, `${server}-`]
    const tool = name.slice(starts.find((start) => name.startsWith(start))?.length ?? name.length)
    if (/^\w[\w-]*$/.test(tool)) return `mcp__${server}__${tool}`
  }
  return undefined
}
