import { openaiItems, type ModelAnswer } from './model-reply.ts'

/** Who asked, for an answer in one piece. */
interface Asked {
  readonly model: string
  /** Length of the request: the tokens that it is said to have had are a quarter of it. */
  readonly bodyBytes: number
  /** Makes ids that are unique in a server. */
  readonly id: (prefix: string) => string
}

type Message = Readonly<Record<string, unknown>>

const outputTokens = 10

/** An Anthropic Messages answer. */
export function anthropicMessage({ text, calls = [] }: ModelAnswer, { model, bodyBytes, id }: Asked): Message {
  return {
    id: id('msg'),
    type: 'message',
    role: 'assistant',
    model,
    content: [
      ...(text === undefined ? [] : [{ type: 'text', text }]),
      ...calls.map((call) => ({ type: 'tool_use', id: id('toolu'), name: call.name, input: call.input })),
    ],
    stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: tokensOf(bodyBytes), output_tokens: outputTokens },
  }
}

/** An OpenAI Responses answer. */
export function openaiMessage(answer: ModelAnswer, { model, bodyBytes, id }: Asked): Message {
  return {
    id: id('resp'),
    object: 'response',
    created_at: 1,
    status: 'completed',
    model,
    incomplete_details: null,
    error: null,
    output: openaiItems(answer, id),
    usage: {
      input_tokens: tokensOf(bodyBytes),
      output_tokens: outputTokens,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens_details: { reasoning_tokens: 0 },
    },
  }
}

/** An OpenAI Chat Completions answer. */
export function chatMessage({ text, calls = [] }: ModelAnswer, { model, bodyBytes, id }: Asked): Message {
  const toolCalls = calls.map(({ name, input }) => ({
    id: id('call'),
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }))
  const message = { role: 'assistant', content: text ?? null, ...(calls.length > 0 && { tool_calls: toolCalls }) }
  const promptTokens = tokensOf(bodyBytes)
  return {
    id: id('chatcmpl'),
    object: 'chat.completion',
    created: 1,
    model,
    choices: [{ index: 0, finish_reason: calls.length > 0 ? 'tool_calls' : 'stop', message }],
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: outputTokens,
      total_tokens: promptTokens + outputTokens,
    },
  }
}

/** An answer of Google. Without a signature on its calls the newer models' requests are refused later. */
export function googleMessage({ text, calls = [] }: ModelAnswer, { model, bodyBytes, id }: Asked): Message {
  const parts = [
    ...(text === undefined ? [] : [{ text }]),
    ...calls.map(({ name, input }) => ({ functionCall: { name, args: input }, thoughtSignature: 'c2NyaXB0ZWQ=' })),
  ]
  const promptTokenCount = tokensOf(bodyBytes)
  return {
    responseId: id('resp'),
    modelVersion: model,
    candidates: [{ index: 0, finishReason: 'STOP', content: { role: 'model', parts } }],
    usageMetadata: {
      promptTokenCount,
      candidatesTokenCount: outputTokens,
      totalTokenCount: promptTokenCount + outputTokens,
    },
  }
}

function tokensOf(bodyBytes: number): number {
  return Math.ceil(bodyBytes / 4)
}
