import type { Tool } from 'ai'
import type { ToolOutput } from '../../../mcp/mcp-session.ts'
import { messageOf } from '../../../system/error-facts.ts'
import { isMapping } from '../../../system/text/parse-json.ts'
import { loadPeer } from '../../load-peer.ts'
import { mcpCall } from '../../agent-events.ts'
import type { OwnEvent } from '../../agent-program-protocol.ts'
import { textOutput } from '../tool-server/user-browser.ts'
import type { OfferedTool } from './offered-tools.ts'

interface ToolContext {
  readonly isStrict: boolean
  emit(event: OwnEvent): void
  isAlone(): boolean
  /** Called after each call, in order. The returned text is added to the output that the model gets. */
  onOutput(offered: OfferedTool, output: ToolOutput): string | undefined
}

/** Turns tools of MCP servers into tools of the AI SDK. Calls run one after the other, because there is one page. */
export async function createModelTools(
  offered: readonly OfferedTool[],
  context: ToolContext,
): Promise<Record<string, Tool>> {
  const { dynamicTool, jsonSchema } = await loadPeer('ai', () => import('ai'))
  let queue: Promise<unknown> = Promise.resolve()
  let lastId = 0
  return Object.fromEntries(
    offered.map((one) => {
      const { description = '', inputSchema } = one.tool
      const tool = dynamicTool({
        description,
        inputSchema: jsonSchema(context.isStrict ? strictSchema(inputSchema) : inputSchema),
        execute: (input, { abortSignal: signal }) => {
          const done = queue.then(() => callTool(one, input, { ...context, signal, id: String((lastId += 1)) }))
          queue = done.catch(() => undefined)
          return done
        },
        toModelOutput: ({ output }) => toModelOutput(output as ToolOutput), // the result of `execute`
      })
      // By default, OpenAI treats optional properties as required.
      return [one.name, { ...tool, strict: false }]
    }),
  )
}

interface Call extends ToolContext {
  readonly id: string
  readonly signal: AbortSignal | undefined
}

async function callTool(offered: OfferedTool, given: unknown, call: Call): Promise<ToolOutput> {
  const { id, signal } = call
  signal?.throwIfAborted()
  const { kind, name, server, tool } = offered
  const input = isMapping(given) ? withoutNulls(given) : {}
  const isRefused = offered.isAlone === true && !call.isAlone()
  if (!isRefused) await offered.before?.(input)
  signal?.throwIfAborted()
  const journalName = kind === 'browser' ? name : `mcp__${server}__${tool.name}`
  call.emit({ ...mcpCall(id, journalName, input), kind, title: `${name} ${JSON.stringify(input)}` })
  const output = isRefused
    ? textOutput(tooEarly, true)
    : await offered.run(input, signal).catch((error: unknown) => {
        // An error of the tool becomes its output for the model. An abort ends the run.
        if (signal?.aborted) throw error
        return textOutput(/tim(?:ed? ?out)/i.test(messageOf(error)) ? tookTooLong : messageOf(error), true)
      })
  const { isError, text } = output
  call.emit({ type: 'tool-result', id, isError, output: text })
  call.emit({ type: 'called', server, tool: tool.name, input, isError, output: text })
  const addition = call.onOutput(offered, output)
  return addition === undefined ? output : { ...output, text: `${text}\n\n${addition}` }
}

const tooEarly =
  'The report was refused: it came together with other calls, before you had seen what they gave. Look at their answers now, then report the step in a turn of its own, with no other call beside it.'
const tookTooLong =
  'The call took too long and was given up; the page may hang. Close its tab with browser_tabs, then navigate anew.'

function toModelOutput({ isError, text, parts }: ToolOutput): Awaited<ReturnType<NonNullable<Tool['toModelOutput']>>> {
  if (isError) return { type: 'error-text', value: text }
  const shown = parts.flatMap((part) =>
    part.type === 'image' ? [{ type: 'image-data' as const, data: part.data, mediaType: part.mimeType }] : [],
  )
  if (shown.length === 0) return { type: 'text', value: text }
  return { type: 'content', value: [{ type: 'text', text }, ...shown] }
}

type Schema = Readonly<Record<string, unknown>>

/** Makes all properties required, at every depth, as Azure demands. Optional properties may be `null`. */
export function strictSchema(schema: Schema): Schema {
  const { properties, items, anyOf, required, ...rest } = schema
  const known = isMapping(properties) ? properties : {}
  const needed: readonly unknown[] = Array.isArray(required) ? required : []
  const strict = Object.entries(known).map(([name, property]) => {
    const each = strictValue(property)
    return [name, needed.includes(name) ? each : orNull(each)]
  })
  return {
    ...rest,
    ...(items !== undefined && { items: strictValue(items) }),
    ...(Array.isArray(anyOf) && { anyOf: anyOf.map(strictValue) }),
    ...((isMapping(properties) || rest.type === 'object') && {
      ...{ properties: Object.fromEntries(strict), required: Object.keys(known), additionalProperties: false },
    }),
  }
}

function strictValue(value: unknown): Schema {
  return isMapping(value) ? strictSchema(value) : {}
}

/** Allows `null` in the shortest form, because each request sends the schema. */
function orNull(schema: Schema): Schema {
  const { type, enum: words } = schema
  if (typeof type !== 'string' || words !== undefined) return { anyOf: [schema, { type: 'null' }] }
  return { ...schema, type: [type, 'null'] }
}

/** Removes the properties that a model set to `null` because of a strict schema. */
export function withoutNulls(value: Schema): Schema {
  return JSON.parse(JSON.stringify(value), (_key, one: unknown) => one ?? undefined)
}
