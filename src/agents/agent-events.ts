import { parseJson } from '../system/text/parse-json.ts'
import { z } from 'zod'
import type { AgentEvent, FirstQuestion, ToolCall } from './agent.ts'
import { ownTools } from './report-access.ts'

/** An optional field: `undefined` if it is missing or invalid, so that the rest of its line can be read. */
export function lenient<T extends z.ZodType>(schema: T): z.ZodCatch<z.ZodOptional<T>> {
  return schema.optional().catch(undefined)
}

export const [text, number] = [lenient(z.string()), lenient(z.number())]
export const count = z.number().catch(0)

/** Events in one line of JSON. A line that does not fit `schema` becomes an `unknown` event with its text. */
export function readEventLine<T>(
  line: string,
  schema: z.ZodType<T>,
  toEvents: (entry: T) => readonly AgentEvent[],
): readonly AgentEvent[] {
  const start = line.trimStart()
  if (start === '') return []
  // Parse only lines that begin with `{`, because a failed parse is slow.
  const known = start.startsWith('{') ? schema.safeParse(parseJson(line)) : undefined
  return known?.success ? toEvents(known.data) : [{ type: 'unknown', raw: line }]
}

type Denial = Extract<AgentEvent, { readonly type: 'denial' }>

/** One denial for each refused call, in order. Of two denials of a call, the one with a rule is kept. */
export function mergeDenials(denials: readonly Denial[]): readonly Denial[] {
  const merged = new Map<string, Denial>()
  denials.forEach((denial, index) => {
    const key = denial.id ?? `without id ${index}`
    const known = merged.get(key)
    if (known === undefined || (known.rule === undefined && denial.rule !== undefined)) merged.set(key, denial)
  })
  return [...merged.values()]
}

/** `tool`: `mcp__SERVER__TOOL`. Arguments of mdtest's own tools become `reported`, other arguments `input`. */
export function mcpCall(id: string, tool: string, input: unknown): ToolCall {
  const kind = /^mcp__.*(?:playwright|chrome|browser).*__/i.test(tool) ? 'browser' : 'mcp'
  const call: ToolCall = { type: 'tool-call', id, kind, tool, title: tool, files: [] }
  if (input === undefined) return call
  return tool.startsWith(ownTools) ? { ...call, reported: input } : { ...call, input }
}

export function names(text: string): readonly string[] {
  return text.trim().split(/\s+/)
}

export type Fields = Readonly<Record<string, unknown>>

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

export function textOfParts(content: unknown): string {
  if (!Array.isArray(content)) return textOf(content) ?? ''
  return content.map((part: unknown) => textOf(fieldsOf(part).text) ?? '').join('\n')
}

export function webRule(url: string): string {
  return URL.canParse(url) ? `WebFetch(domain:${new URL(url).hostname})` : 'WebFetch'
}

export function asks(pattern: RegExp, what: string, otherwise?: string): FirstQuestion {
  const or = otherwise === undefined ? '' : `, or ${otherwise}`
  return { pattern, message: `asks ${what}: answer it in the terminal (\`mdtest run\`)${or}.` }
}
