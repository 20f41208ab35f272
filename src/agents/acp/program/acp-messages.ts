import { z } from 'zod'
import type { ErrorEvent } from '../../agent.ts'
import { lenient, number, text } from '../../agent-events.ts'
import { statusIn, toErrorEvent } from '../../provider-errors.ts'

const fields = lenient(z.record(z.string(), z.unknown()))

const inner = lenient(z.object({ type: text, text }))
const part = z.object({ type: text, text, path: text, newText: text, content: inner }).catch({})

/** One message about a tool call. Several messages with the same id describe one call, each adding fields. */
export const callPartSchema = z.object({
  toolCallId: z.string(),
  title: text,
  name: text,
  kind: text,
  status: text,
  locations: z.array(z.object({ path: text }).catch({})).catch([]),
  content: z.array(part).catch([]),
  rawInput: fields,
  rawOutput: z.unknown().optional(),
  _meta: fields,
})

export type CallPart = z.infer<typeof callPartSchema>

const usageSchema = lenient(
  z
    .object({ inputTokens: number, outputTokens: number, input_tokens: number, output_tokens: number })
    .transform((usage) => ({
      input: usage.inputTokens ?? usage.input_tokens ?? 0,
      output: usage.outputTokens ?? usage.output_tokens ?? 0,
    })),
)

export type TokenUsage = z.infer<typeof usageSchema>

export const updateSchema = z.discriminatedUnion('sessionUpdate', [
  callPartSchema.extend({ sessionUpdate: z.literal(['tool_call', 'tool_call_update']) }),
  z.object({
    sessionUpdate: z.literal('agent_message_chunk'),
    content: part,
    _meta: lenient(z.object({ usage: usageSchema })),
  }),
  z.object({
    sessionUpdate: z.literal('usage_update'),
    cost: lenient(z.object({ amount: z.number(), currency: text })),
  }),
])

export const answerSchema = z.object({
  stopReason: text,
  usage: usageSchema,
  _meta: lenient(z.object({ quota: lenient(z.object({ token_count: usageSchema })) })),
})

export const initializedSchema = z.object({
  protocolVersion: z.number(),
  agentInfo: lenient(z.object({ version: z.string() })),
  agentCapabilities: lenient(
    z.object({
      mcpCapabilities: lenient(z.object({ http: z.boolean().optional() })),
      sessionCapabilities: lenient(z.object({ resume: z.unknown().optional() })),
    }),
  ),
})

export const sessionSchema = z.object({
  sessionId: z.string(),
  models: lenient(z.object({ currentModelId: text })),
  configOptions: lenient(z.array(z.object({ id: text, currentValue: text }).catch({}))),
})

const errorSchema = z.object({ code: number, message: text, data: z.unknown().optional() })

/** The JSON-RPC error code that the agent answered; `undefined` for errors of mdtest or of the connection. */
export function answeredCode(error: unknown): number | undefined {
  return errorSchema.safeParse(error).data?.code
}

export function readAcpError(error: unknown, asked: string): ErrorEvent {
  const { code, message = '', data } = errorSchema.safeParse(error).data ?? {}
  const more = data === undefined ? '' : typeof data === 'string' ? data : JSON.stringify(data)
  const told = `${message} ${more}`.trim()
  if (told === '') return { type: 'error', cause: 'other', message: `\`${asked}\` failed without a reason.` }
  return toError(told, code)
}

const authRequired = -32_000
const maxCharacters = 2_000

/** The event for a model error. `code` is a JSON-RPC code or an HTTP status. */
export function toError(told: string, code?: number): ErrorEvent {
  const event = toErrorEvent(told, code !== undefined && code >= 400 ? code : statusIn(told))
  const cause = code === authRequired ? 'auth' : event.cause
  return { ...event, cause, message: told.slice(0, maxCharacters) }
}
