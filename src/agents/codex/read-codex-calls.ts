import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { DoneCall, KeptSession } from '../done-call.ts'
import { ownServer } from '../report-access.ts'
import { itemSchema, unwrapShell } from './codex-item.ts'

const text = z.string().catch('')

/** Lines of the session file: `payload` of what was completed. */
const kept = z.object({
  payload: z.discriminatedUnion('type', [
    z.object({ type: z.literal('item_completed'), item: z.object({ type: z.string() }).loose() }),
    z.object({ type: z.literal('function_call'), name: text }),
    z.object({ type: z.literal('custom_tool_call'), name: text, input: text }),
  ]),
})

const streamed = z.object({
  type: z.literal('item.completed'),
  item: z.object({ type: z.literal('command_execution'), aggregated_output: text, exit_code: z.number().nullish() }),
})

const commandItem = z.object({
  type: z.literal('CommandExecution'),
  command: z.array(z.string()),
  cwd: text,
  exit_code: z.number().catch(-1),
  aggregated_output: text,
})

const change = z.object({
  type: text,
  content: text,
  unified_diff: text,
  move_path: z.string().nullish().catch(undefined),
})
const fileItem = z.object({ type: z.literal('FileChange'), changes: z.record(z.string(), change), status: text })
const mcpItem = z.object({
  type: z.literal('McpToolCall'),
  server: text,
  tool: text,
  arguments: z.record(z.string(), z.unknown()).catch({}),
  status: text,
  result: z
    .object({
      isError: z.boolean().optional(),
      is_error: z.boolean().optional(),
      content: z.array(z.object({ text })).catch([]),
    })
    .optional()
    .catch(undefined),
  error: z.unknown().optional(),
})

/**
 * What codex did in a session. Its session file has directories and what edits wrote; its stream has more of a long output
 * (1 MiB) than the file (64 KiB).
 */
export function readCodexCalls({ stream, transcript }: KeptSession): readonly DoneCall[] {
  const entries = transcript.flatMap((line) => parse(kept, line)).map(({ payload }) => payload)
  const outputs = stream.flatMap((line) => parse(streamed, line)).map(({ item }) => item)
  const typed = entries.some(isTyped)
  const unfinished = unfinishedCommands(stream)
  const contents = new Map<string, string | undefined>()
  const takeOutput = (told: string, exitCode: number): string => {
    const at = outputs.findIndex((one) => one.exit_code === exitCode && isSameStart(one.aggregated_output, told))
    return at === -1 ? told : (outputs.splice(at, 1)[0]?.aggregated_output ?? told)
  }
  const calls = entries.flatMap((entry): readonly DoneCall[] => {
    if (entry.type !== 'item_completed') return []
    const command = commandItem.safeParse(entry.item).data
    if (command) return [doneCommand(command, { takeOutput, typed })]
    const file = fileItem.safeParse(entry.item).data
    if (file)
      return file.status === 'failed' || file.status === 'declined'
        ? [{ kind: 'refused' }]
        : edits(file.changes, contents)
    const mcp = mcpItem.safeParse(entry.item).data
    if (mcp) return [doneMcp(mcp)]
    return isTalk(entry.item.type) ? [] : [{ kind: 'other', tool: entry.item.type, isOfHelper: false }]
  })
  return withUnfinished(calls, unfinished)
}

const begun = z.object({ type: z.enum(['item.started', 'item.completed']), item: itemSchema })

interface UnfinishedCommand {
  readonly command: string
  /** How many reports there were before it. */
  readonly reports: number
}

/** The session file has only what came to an end. */
function unfinishedCommands(stream: readonly string[]): readonly UnfinishedCommand[] {
  const open = new Map<string, UnfinishedCommand>()
  let reports = 0
  for (const { type, item } of stream.flatMap((line) => parse(begun, line))) {
    if (type === 'item.completed') open.delete(item.id)
    else if (item.type === 'command_execution') open.set(item.id, { command: unwrapShell(item.command ?? ''), reports })
    if (type === 'item.completed' && item.server === ownServer && item.tool === 'report_step') reports += 1
  }
  return [...open.values()]
}

function withUnfinished(calls: readonly DoneCall[], unfinished: readonly UnfinishedCommand[]): readonly DoneCall[] {
  let reports = 0
  const left = (): readonly DoneCall[] =>
    unfinished.flatMap((one) => (one.reports === reports ? [{ kind: 'unfinished', command: one.command }] : []))
  return [
    ...left(),
    ...calls.flatMap((call) => {
      if (call.kind !== 'report') return [call]
      reports += 1
      return [call, ...left()]
    }),
  ]
}

function parse<T>(schema: z.ZodType<T>, line: string): readonly T[] {
  try {
    const parsed = schema.safeParse(JSON.parse(line))
    return parsed.success ? [parsed.data] : []
  } catch {
    return [] // Not a line of codex.
  }
}

/** Whether something was typed into a running program. */
function isTyped(entry: z.infer<typeof kept>['payload']): boolean {
  if (entry.type === 'function_call') return entry.name === 'write_stdin'
  return entry.type === 'custom_tool_call' && /\bwrite_stdin\b/.test(entry.input)
}

function isSameStart(one: string, other: string): boolean {
  return one.slice(0, 200) === other.slice(0, 200)
}

function isTalk(type: string): boolean {
  return ['AgentMessage', 'UserMessage', 'Reasoning', 'Plan', 'TodoList', 'ContextCompaction'].includes(type)
}

interface CommandContext {
  takeOutput(told: string, exitCode: number): string
  readonly typed: boolean
}

function doneCommand(item: z.infer<typeof commandItem>, { takeOutput, typed }: CommandContext): DoneCall {
  const output = takeOutput(item.aggregated_output, item.exit_code)
  // A program in a terminal ends its lines so, and only then something can be typed into it.
  if (typed && output.includes('\r\n')) return { kind: 'other', tool: 'write_stdin', isOfHelper: false }
  const isCut = /\n?\.\.\. \d+ bytes omitted \.\.\.\n/.test(output) || output.length >= 1_048_576
  return {
    kind: 'command',
    command: item.command.at(-1) ?? '',
    cwd: item.cwd.startsWith('file:') ? fileURLToPath(item.cwd) : item.cwd,
    exitCode: item.exit_code,
    output,
    isWhole: !isCut,
    isBackground: false,
  }
}

function edits(
  changes: Readonly<Record<string, z.infer<typeof change>>>,
  contents: Map<string, string | undefined>,
): readonly DoneCall[] {
  return Object.entries(changes).flatMap(([path, { type, content, unified_diff: diff, move_path: moved }]) => {
    const file = moved ?? path
    const gone = type === 'delete' || moved ? [{ kind: 'edit', file: path, isGone: true } as const] : [] // one of its kinds
    const now = type === 'add' ? content : applyDiff(contents.get(path), diff)
    contents.set(path, undefined)
    if (type === 'delete') return gone
    contents.set(file, now)
    return [{ kind: 'edit', file, ...(now !== undefined && { content: now }) } as const, ...gone] // see above
  })
}

/** What a file holds after a unified diff; unknown where what it held before is. */
function applyDiff(before: string | undefined, diff: string): string | undefined {
  if (before === undefined) return undefined
  const old = before.split('\n')
  const out: string[] = []
  let at = 0
  for (const line of diff.split('\n')) {
    const start = /^@@ -(\d+)/.exec(line)
    if (start) while (at < Number(start[1]) - 1) out.push(old[at++] ?? '')
    else if (line.startsWith('+')) out.push(line.slice(1))
    else if (line.startsWith('-')) at += 1
    else if (line.startsWith(' ')) out.push(old[at++] ?? '')
  }
  return [...out, ...old.slice(at)].join('\n')
}

function doneMcp({ server, tool, arguments: input, status, result, error }: z.infer<typeof mcpItem>): DoneCall {
  const isError =
    result?.isError === true ||
    result?.is_error === true ||
    status === 'failed' ||
    (error !== undefined && error !== null)
  if (server === ownServer && tool === 'report_step') return { kind: 'report', isAccepted: !isError }
  const output = (result?.content ?? []).map((part) => part.text).join('\n')
  return { kind: 'mcp', server, tool, input, output, isError }
}
