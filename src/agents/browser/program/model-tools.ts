import type { Tool } from 'ai'
import type { ActivityKind } from '../../agent.ts'
import { loadPeer } from '../../load-peer.ts'
import type { OwnEvent } from '../../own-events.ts'
import { quotableText } from '../quotable-text.ts'
import type { ServerTool, ToolOutput } from '../../../mcp/tool-call.ts'
import { messageOf } from '../../../system/error-facts.ts'

/** A tool as the model gets it. */
export interface OfferedTool {
  /** Name for the model. */
  readonly name: string
  /** By the name under which agents know the server. */
  readonly server: string
  /** Name in the journal. */
  readonly journalName: string
  readonly kind: ActivityKind
  readonly tool: ServerTool
  /** Whether it counts only where the model makes no other call at the same time: it has to have seen what those gave. */
  readonly isAlone?: boolean
  /** Done before the call is told of. */
  before?(input: Readonly<Record<string, unknown>>): Promise<void>
  run(input: Readonly<Record<string, unknown>>, signal: AbortSignal | undefined): Promise<ToolOutput>
}

interface ToolContext {
  /** Whether the provider wants each property required. */
  readonly isStrict: boolean
  emit(event: OwnEvent): void
  /** Whether the model made one call at a time, the last time. */
  isAlone(): boolean
  /** Called after each call, in order; what it gives is added for the model. */
  onOutput(offered: OfferedTool, output: ToolOutput): string | undefined
}

/** Tools of MCP servers as tools of the AI SDK. There is one page, so calls go one after the other. */
export async function createModelTools(
  offered: readonly OfferedTool[],
  context: ToolContext,
): Promise<Record<string, Tool>> {
  const { dynamicTool, jsonSchema } = await loadPeer('ai', () => import('ai'))
  let queue: Promise<unknown> = Promise.resolve()
  let lastId = 0
  const inOrder = async <T>(work: () => Promise<T>): Promise<T> => {
    const done = queue.then(work, work)
    queue = done.catch(() => undefined)
    return done
  }
  return Object.fromEntries(
    offered.map((one) => {
      const { description = '', inputSchema } = one.tool
      const schema = context.isStrict ? strictSchema(inputSchema) : inputSchema
      const tool = dynamicTool({
        description,
        inputSchema: jsonSchema(schema),
        execute: (input, { abortSignal }) =>
          inOrder(() => callTool(one, { input, signal: abortSignal, id: String((lastId += 1)), context })),
        toModelOutput: ({ output }) => toModelOutput(output as ToolOutput), // what `execute` gives
      })
      // Left out, OpenAI takes optional properties for required ones.
      return [one.name, { ...tool, strict: false }]
    }),
  )
}

interface Call {
  readonly id: string
  readonly input: unknown
  readonly signal: AbortSignal | undefined
  readonly context: ToolContext
}

async function callTool(offered: OfferedTool, { id, input, signal, context }: Call): Promise<ToolOutput> {
  signal?.throwIfAborted()
  const { journalName, kind, name, server, tool } = offered
  const given = withoutNulls(input)
  const argumentsOf = typeof given === 'object' && given !== null ? { ...given } : {}
  const isRefused = offered.isAlone === true && !context.isAlone()
  if (!isRefused) await offered.before?.(argumentsOf)
  signal?.throwIfAborted()
  context.emit({ type: 'tool-call', id, kind, tool: journalName, title: `${name} ${JSON.stringify(given)}`, files: [] })
  const output = isRefused
    ? tooEarly
    : await offered.run(argumentsOf, signal).catch((error: unknown) => failed(error, signal))
  const printed = kind === 'browser' ? quotableText(output, given) : output.text
  context.emit({ type: 'tool-result', id, isError: output.isError, output: printed })
  const { isError, text } = output
  context.emit({ type: 'called', server, tool: tool.name, input: argumentsOf, isError, output: text })
  const addition = context.onOutput(offered, output)
  return addition === undefined ? output : { ...output, text: `${output.text}\n\n${addition}` }
}

const tooEarly: ToolOutput = {
  isError: true,
  text: 'The report was refused: it came together with other calls, before you had seen what they gave. Look at their answers now, then report the step in a turn of its own, with no other call beside it.',
  parts: [],
}

/** An error of a call is the model's to handle; the end of the run is not. */
function failed(error: unknown, signal: AbortSignal | undefined): ToolOutput {
  if (signal?.aborted) throw error
  const message = messageOf(error)
  const text = /tim(?:ed? ?out)/i.test(message)
    ? 'The call took too long and was given up; the page may hang. Close its tab with browser_tabs, then navigate anew.'
    : message
  return { isError: true, text, parts: [] }
}

type ModelOutput = Awaited<ReturnType<NonNullable<Tool['toModelOutput']>>>

function toModelOutput({ isError, text, parts }: ToolOutput): ModelOutput {
  if (isError) return { type: 'error-text', value: text }
  const shown = parts.flatMap(
    (part) =>
      part.type === 'image' ? [{ type: 'image-data' as const, data: part.data, mediaType: part.mimeType }] : [], // a literal
  )
  if (shown.length === 0) return { type: 'text', value: text }
  return { type: 'content', value: [{ type: 'text', text }, ...shown] }
}

type Schema = Readonly<Record<string, unknown>>

/**
 * A JSON schema as Azure wants those of tools: each property is required, all the way down, and one that was not may be
 * `null`. `withoutNulls` takes such values out again.
 */
export function strictSchema(schema: Schema): Schema {
  const { properties, items, anyOf, ...rest } = schema
  return {
    ...rest,
    ...(isSchema(items) && { items: strictSchema(items) }),
    ...(Array.isArray(anyOf) && { anyOf: anyOf.map((each: unknown) => (isSchema(each) ? strictSchema(each) : each)) }),
    ...((isSchema(properties) || rest.type === 'object') && {
      properties: strictProperties(isSchema(properties) ? properties : {}, requiredIn(schema)),
      required: isSchema(properties) ? Object.keys(properties) : [],
      additionalProperties: false,
    }),
  }
}

/** What a model gives for a strict schema, without the properties that it left open. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (!isSchema(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) => (one === null ? [] : [[key, withoutNulls(one)]])),
  )
}

function strictProperties(properties: Schema, required: readonly unknown[]): Schema {
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => {
      const strict = isSchema(property) ? strictSchema(property) : {}
      return [name, required.includes(name) ? strict : orNull(strict)]
    }),
  )
}

/** The short way where there is one: it is sent with each request. */
function orNull(schema: Schema): Schema {
  const { type, enum: words, ...rest } = schema
  if (typeof type !== 'string') return { anyOf: [schema, { type: 'null' }] }
  return { ...(Array.isArray(words) && { enum: [...words, null] }), ...rest, type: [type, 'null'] }
}

function requiredIn({ required }: Schema): readonly unknown[] {
  return Array.isArray(required) ? required : []
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
