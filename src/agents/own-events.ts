import { z } from 'zod'

/** A sign of life that tells nothing else. */
export interface WaitingEvent {
  readonly type: 'waiting'
}

/** One event as a line of the output of a program of ours. */
export function formatEvent(event: { readonly type: string }): string {
  return `${JSON.stringify(event)}\n`
}

const text = z.string()
const count = z.number()
const kind = z.enum(['command', 'file', 'browser', 'mcp', 'web', 'other'])
const use = z.enum(['housekeeping', 'edit', 'numbered', 'search', 'list'])

/** What a program of ours prints, but for what is its own. */
export const ownEventSchemas = [
  z.object({
    type: z.literal('opened'),
    sessionId: text.exactOptional(),
    model: text.exactOptional(),
    version: text.exactOptional(),
  }),
  z.object({
    type: z.literal('tool-call'),
    id: text,
    kind,
    tool: text,
    use: use.exactOptional(),
    title: text,
    files: z.array(text),
    input: z.unknown().exactOptional(),
    reported: z.unknown().exactOptional(),
    written: z.array(text).exactOptional(),
  }),
  z.object({
    type: z.literal('tool-result'),
    id: text,
    isError: z.boolean(),
    exitCode: count.exactOptional(),
    output: text,
  }),
  z.object({ type: z.literal('denial'), id: text, what: text, rule: text.exactOptional() }),
  z.object({ type: z.literal('waiting') }),
  z.object({ type: z.literal('text'), text }),
  z.object({ type: z.literal('image'), file: text, step: text.exactOptional() }),
  z.object({
    type: z.literal('tokens'),
    id: text,
    inputTokens: count,
    outputTokens: count,
    cachedInputTokens: count.exactOptional(),
  }),
  z.object({
    type: z.literal('usage'),
    inputTokens: count,
    outputTokens: count,
    cachedInputTokens: count.exactOptional(),
    costUsd: count.exactOptional(),
    turns: count.exactOptional(),
  }),
  z.object({
    type: z.literal('error'),
    cause: z.enum(['auth', 'budget', 'mcp', 'browser', 'model', 'no-verdict', 'other']),
    message: text,
    status: count.exactOptional(),
  }),
  z.object({ type: z.literal('end'), isError: z.boolean() }),
] as const // a tuple, for a union
