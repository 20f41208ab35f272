import { z } from 'zod'

// A field that a later version drops or changes must not cost the rest of the line: hence `catch`.
const count = z.number().optional().catch(undefined)

const requestUsage = z.object({
  input_tokens: count,
  output_tokens: count,
  cache_creation_input_tokens: count,
  cache_read_input_tokens: count,
})
const modelUsage = z.object({
  inputTokens: count,
  outputTokens: count,
  cacheCreationInputTokens: count,
  cacheReadInputTokens: count,
  contextWindow: count,
})

/** `usage` of an answer of the model. */
export const requestUsageSchema = requestUsage.optional().catch(undefined)

/** What the end of a session says of its tokens. */
export const sessionUsageShape = {
  usage: requestUsageSchema,
  modelUsage: z.record(z.string(), modelUsage).optional().catch(undefined),
}

interface SessionUsage {
  readonly usage?: z.infer<typeof requestUsageSchema>
  readonly modelUsage?: Readonly<Record<string, z.infer<typeof modelUsage>>> | undefined
}

interface Tokens {
  /** Cached ones included. */
  readonly inputTokens: number
  readonly outputTokens: number
}

export function requestTokens(usage: z.infer<typeof requestUsage>): Tokens {
  return {
    inputTokens: sum([usage.input_tokens, usage.cache_creation_input_tokens, usage.cache_read_input_tokens]),
    outputTokens: usage.output_tokens ?? 0,
  }
}

/** `usage` lacks the request with which a budget was used up; `modelUsage` has it. */
export function sessionTokens({ usage, modelUsage: byModel = {} }: SessionUsage): Tokens | undefined {
  const models = Object.values(byModel)
  if (models.length === 0) return usage && requestTokens(usage)
  return { inputTokens: sum(models.map(inputOf)), outputTokens: sum(models.map((one) => one.outputTokens)) }
}

/** The window of the model that took most: others do small jobs beside it. */
export function contextWindow({ modelUsage: byModel = {} }: SessionUsage): number | undefined {
  const [main] = Object.values(byModel).toSorted((one, other) => inputOf(other) - inputOf(one))
  return main?.contextWindow
}

function inputOf(model: z.infer<typeof modelUsage>): number {
  return sum([model.inputTokens, model.cacheCreationInputTokens, model.cacheReadInputTokens])
}

function sum(counts: readonly (number | undefined)[]): number {
  return counts.reduce<number>((total, one) => total + (one ?? 0), 0)
}
