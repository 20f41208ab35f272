import { textOf } from './text-of.ts'
import { resolve } from 'node:path'
import { z } from 'zod'
import { readForeignFile } from '../../system/files/read-file.ts'
import type { DoneCall, KeptSession } from '../done-call.ts'
import { ownTools } from '../report-access.ts'

const text = z.string().optional().catch(undefined)
const flag = z.boolean().catch(false)

const part = z.object({
  type: z.string(),
  id: text,
  name: text,
  input: z.record(z.string(), z.unknown()).catch({}),
  tool_use_id: text,
  content: z.unknown().optional(),
  is_error: flag,
})

const line = z.object({
  type: z.enum(['assistant', 'user', 'system']),
  subtype: text,
  cwd: text,
  parent_tool_use_id: z.string().nullish().catch(undefined),
  message: z
    .object({ content: z.union([z.string(), z.array(part)]) })
    .optional()
    .catch(undefined),
  // What a tool gave, as the program itself has it.
  tool_use_result: z
    .object({
      stdout: text,
      persistedOutputPath: text,
      backgroundTaskId: text,
      originalFile: z.string().nullish().catch(undefined),
    })
    // Of a tool of an MCP server: all parts of its answer, of which the model may have got less.
    .or(z.array(z.object({ text })))
    .optional()
    .catch(undefined),
})

type Line = z.infer<typeof line>
type Part = z.infer<typeof part>

interface OpenCall {
  readonly use: Part
  readonly isOfHelper: boolean
}

/**
 * What Claude Code did in a session. Its stream has the commands and what they printed; in which directory they ran, only
 * the session file says.
 */
export function readClaudeCalls({ stream, transcript }: KeptSession): readonly DoneCall[] {
  const lines = stream.flatMap(parse)
  const initial = lines.find(({ type, subtype }) => type === 'system' && subtype === 'init')?.cwd ?? ''
  const directories = directoriesIn(transcript.flatMap(parse))
  const open = new Map<string, OpenCall>()
  const results = new Map<string, DoneCall>()
  const contents = new Map<string, string>()
  for (const entry of lines) {
    for (const one of partsOf(entry)) {
      if (one.type === 'tool_use' && one.id !== undefined) {
        open.set(one.id, { use: one, isOfHelper: typeof entry.parent_tool_use_id === 'string' })
      }
      const call = one.type === 'tool_result' ? open.get(one.tool_use_id ?? '') : undefined
      const { id = '' } = call?.use ?? {}
      if (call === undefined) continue
      const cwd = directories.get(id) ?? initial
      const { tool_use_result: own } = entry
      const told = Array.isArray(own) ? { kept: undefined, parts: own } : { kept: own, parts: one.content }
      results.set(id, doneCall(call, { result: one, ...told, cwd, contents }))
    }
  }
  return [...open].map(
    ([id, { use, isOfHelper }]) => results.get(id) ?? { kind: 'other', tool: use.name ?? '', isOfHelper },
  )
}

function parse(text: string): readonly Line[] {
  try {
    const parsed = line.safeParse(JSON.parse(text))
    return parsed.success ? [parsed.data] : []
  } catch {
    return [] // Not a line of the stream.
  }
}

function partsOf({ message }: Line): readonly Part[] {
  return message === undefined || typeof message.content === 'string' ? [] : message.content
}

/** In which directory each call began: the session file notes it with each message. */
function directoriesIn(lines: readonly Line[]): ReadonlyMap<string, string> {
  return new Map(
    lines.flatMap((entry) =>
      partsOf(entry).flatMap(({ type, id }) =>
        type === 'tool_use' && id !== undefined && entry.cwd !== undefined ? [[id, entry.cwd] as const] : [],
      ),
    ),
  )
}

interface Ended {
  readonly result: Part
  readonly kept: Exclude<Line['tool_use_result'], readonly unknown[]>
  /** Of a tool of an MCP server: its whole answer. */
  readonly parts: unknown
  readonly cwd: string
  /** What files held after earlier calls, by absolute path. */
  readonly contents: Map<string, string>
}

function doneCall({ use, isOfHelper }: OpenCall, ended: Ended): DoneCall {
  const { name = '', input } = use
  const { result } = ended
  const other: DoneCall = { kind: 'other', tool: name, isOfHelper }
  if (name === `${ownTools}report_step`) return { kind: 'report', isAccepted: !result.is_error }
  if (isOfHelper) return other
  if (name.startsWith('mcp__')) return mcpCall(use, ended)
  if (name === 'Bash') return command(String(input['command'] ?? ''), ended)
  const file = typeof input['file_path'] === 'string' ? resolve(ended.cwd, input['file_path']) : undefined
  if (file === undefined) return other
  if (name === 'Read')
    return result.is_error
      ? { kind: 'refused' }
      : { kind: 'read', file, output: withoutNumbers(textOf(result.content)) }
  if (name !== 'Write' && name !== 'Edit') return other
  return result.is_error ? { kind: 'refused' } : edit(file, use, ended)
}

function mcpCall({ name = '', input }: Part, { result, parts }: Ended): DoneCall {
  const [, server = '', tool = ''] = /^mcp__(.+?)__(.+)$/.exec(name) ?? []
  return { kind: 'mcp', server, tool, input, output: textOf(parts), isError: result.is_error }
}

function command(text: string, { result, kept, cwd }: Ended): DoneCall {
  const told = textOf(result.content)
  const failed = /^Exit code (\d+)\n?/.exec(result.is_error ? told : '')
  if (result.is_error && failed === null) return { kind: 'refused' }
  const printed = failed === null ? (kept?.stdout ?? told) : told.slice(failed[0].length)
  const persisted = readPersisted(kept?.persistedOutputPath)
  return {
    kind: 'command',
    command: text,
    cwd,
    exitCode: Number(failed?.[1] ?? 0),
    output: persisted ?? printed,
    // Of a failed command the middle is cut, and there is no file.
    isWhole:
      persisted !== undefined ||
      (kept?.persistedOutputPath === undefined && !(failed !== null && printed.length >= maxToldOfFailure)),
    isBackground: kept?.backgroundTaskId !== undefined,
  }
}

const maxToldOfFailure = 10_000

/** A long output is cut in the stream, and whole in a file. */
function readPersisted(path: string | undefined): string | undefined {
  return path === undefined ? undefined : readForeignFile(path, maxPersistedBytes)?.toString('utf8')
}

const maxPersistedBytes = 64 * 1024 * 1024

function edit(file: string, { name, input }: Part, { kept, contents }: Ended): DoneCall {
  // Commands may have changed it since the call before.
  const before = kept?.originalFile === null ? '' : (kept?.originalFile ?? contents.get(file))
  const [from, to] = [String(input['old_string'] ?? ''), String(input['new_string'] ?? '')]
  const edited = input['replace_all'] === true ? before?.replaceAll(from, () => to) : before?.replace(from, () => to)
  const content = name === 'Write' ? String(input['content'] ?? '') : before?.includes(from) ? edited : undefined
  if (content === undefined) contents.delete(file)
  else contents.set(file, content)
  return { kind: 'edit', file, ...(content !== undefined && { content }) }
}

/** As `cat -n` puts them in front. */
function withoutNumbers(output: string): string {
  return output.replace(/^ *\d+[\t→]/gm, '')
}
