import { z } from 'zod'

const text = z.string().optional().catch(undefined)
const count = z.number().optional().catch(undefined)
const fields = z.record(z.string(), z.unknown()).optional().catch(undefined)

/** One part of the content of a message or a call. What is not known is left out. */
const part = z
  .object({
    type: text,
    text,
    path: text,
    newText: text,
    content: z.object({ type: text, text }).optional().catch(undefined),
  })
  .catch({})

/** A call is told in parts: each has its id, and what it adds. */
export const callPartSchema = z.object({
  toolCallId: z.string(),
  title: text,
  name: text,
  kind: text,
  status: text,
  locations: z
    .array(z.object({ path: text }).catch({}))
    .catch([])
    .default([]),
  content: z.array(part).catch([]).default([]),
  rawInput: fields,
  rawOutput: z.unknown().optional(),
  _meta: fields,
})

export type CallPart = z.infer<typeof callPartSchema>

const usageSchema = z
  .object({
    inputTokens: count,
    outputTokens: count,
    input_tokens: count,
    output_tokens: count,
    cachedReadTokens: count,
  })
  .optional()
  .catch(undefined)

export type TokenUsage = z.infer<typeof usageSchema>

/** `params.update` of `session/update`, as far as it tells what an agent does. */
export const updateSchema = z.discriminatedUnion('sessionUpdate', [
  callPartSchema.extend({ sessionUpdate: z.literal(['tool_call', 'tool_call_update']) }),
  z.object({
    sessionUpdate: z.literal('agent_message_chunk'),
    content: part,
    _meta: z.object({ usage: usageSchema }).optional().catch(undefined),
  }),
  z.object({
    sessionUpdate: z.literal('usage_update'),
    cost: z.object({ amount: z.number(), currency: text }).nullish().catch(undefined),
  }),
])

/** The answer to `session/prompt`. */
export const answerSchema = z.object({
  stopReason: text,
  usage: usageSchema,
  _meta: z
    .object({ quota: z.object({ token_count: usageSchema }).optional().catch(undefined) })
    .optional()
    .catch(undefined),
})

/** An error in place of an answer, as JSON-RPC has it. */
export const errorSchema = z.object({ code: count, message: text, data: z.unknown().optional() })

/** Whether it is an answer of the other side, and no error of ours or of the connection. */
export function isAnswered(error: unknown): boolean {
  return z.object({ code: z.number() }).safeParse(error).success
}

/** Whether an agent answered that it does not take what it was asked with. */
export function isInvalidParams(error: unknown): boolean {
  return errorSchema.safeParse(error).data?.code === -32_602
}

/** The model that a session began with, wherever its agent tells it. */
export const sessionSchema = z.object({
  sessionId: z.string(),
  models: z.object({ currentModelId: text }).optional().catch(undefined),
  configOptions: z
    .array(z.object({ id: text, currentValue: text }).catch({}))
    .optional()
    .catch(undefined),
})
