import { openaiItems, type ModelAnswer } from './model-reply.ts'
import { bytesPerToken } from './prompt-cache.ts'

/** Who asked, for an answer in one piece. */
interface Asked {
  readonly model: string
  /** Length of the request: the tokens that it is said to have had are a quarter of it. */
  readonly bodyBytes: number
  /** As many of them are said to have been cached. */
  readonly cachedBytes: number
  /** Makes ids that are unique in a server. */
  readonly id: (prefix: string) => string
}

type Message = Readonly<Record<string, unknown>>

const outputTokens = 10

/** An Anthropic Messages answer. */
export function anthropicMessage({ text, calls = [], ending }: ModelAnswer, asked: Asked): Message {
  const { model, bodyBytes, cachedBytes, id } = asked
  return {
    id: id('msg'),
    type: 'message',
    role: 'assistant',
    model,
    content: [
      ...(text === undefined ? [] : [{ type: 'text', text }]),
      ...calls.map((call) => ({ type: 'tool_use', id: id('toolu'), name: call.name, input: call.input })),
    ],
    stop_reason: anthropicEndings[ending ?? 'usual'] ?? (calls.length > 0 ? 'tool_use' : 'end_turn'),
    stop_sequence: null,
    usage: {
      input_tokens: tokensOf(bodyBytes) - tokensOf(cachedBytes),
      cache_read_input_tokens: tokensOf(cachedBytes),
      cache_creation_input_tokens: 0,
      output_tokens: outputTokens,
    },
  }
}

const anthropicEndings = { refusal: 'refusal', filter: 'refusal', 'cut-off': 'max_tokens', usual: undefined }

/** An OpenAI Responses answer. */
export function openaiMessage(answer: ModelAnswer, { model, bodyBytes, cachedBytes, id }: Asked): Message {
  const incomplete = { filter: 'content_filter', 'cut-off': 'max_output_tokens' }[String(answer.ending)]
  return {
    id: id('resp'),
    object: 'response',
    created_at: 1,
    status: incomplete === undefined ? 'completed' : 'incomplete',
    model,
    incomplete_details: incomplete === undefined ? null : { reason: incomplete },
    error: null,
    output: openaiItems(answer, id),
    usage: {
      input_tokens: tokensOf(bodyBytes),
      output_tokens: outputTokens,
      input_tokens_details: { cached_tokens: tokensOf(cachedBytes) },
      output_tokens_details: { reasoning_tokens: 0 },
    },
  }
}

/** An OpenAI Chat Completions answer. */
export function chatMessage(answer: ModelAnswer, asked: Asked): Message {
  const { finish_reason, ...message } = chatParts(answer, asked)
  return {
    ...chatHead(asked),
    object: 'chat.completion',
    choices: [{ index: 0, finish_reason, message }],
    usage: chatUsage(asked),
  }
}

/** The same in pieces. */
export function chatChunks(answer: ModelAnswer, asked: Asked): readonly Message[] {
  const { finish_reason, ...delta } = chatParts(answer, asked)
  const chunk = { ...chatHead(asked), object: 'chat.completion.chunk' }
  return [
    { ...chunk, choices: [{ index: 0, finish_reason: null, delta }] },
    { ...chunk, choices: [{ index: 0, finish_reason, delta: {} }] },
    { ...chunk, choices: [], usage: chatUsage(asked) },
  ]
}

function chatParts({ text, calls = [] }: ModelAnswer, { id }: Asked): Message {
  const toolCalls = calls.map(({ name, input }, index) => ({
    index,
    id: id('call'),
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }))
  return {
    role: 'assistant',
    content: text ?? null,
    ...(calls.length > 0 && { tool_calls: toolCalls }),
    finish_reason: calls.length > 0 ? 'tool_calls' : 'stop',
  }
}

function chatHead({ model, id }: Asked): Message {
  return { id: id('chatcmpl'), created: 1, model }
}

function chatUsage({ bodyBytes }: Asked): Message {
  const promptTokens = tokensOf(bodyBytes)
  return {
    prompt_tokens: promptTokens,
    completion_tokens: outputTokens,
    total_tokens: promptTokens + outputTokens,
  }
}

/** An answer of Google. Without a signature on its calls the newer models' requests are refused later. */
export function googleMessage({ text, calls = [], ending }: ModelAnswer, asked: Asked): Message {
  const { model, bodyBytes, cachedBytes, id } = asked
  const parts = [
    ...(text === undefined ? [] : [{ text }]),
    ...calls.map(({ name, input }) => ({ functionCall: { name, args: input }, thoughtSignature: 'c2NyaXB0ZWQ=' })),
  ]
  const promptTokenCount = tokensOf(bodyBytes)
  return {
    responseId: id('resp'),
    modelVersion: model,
    candidates: [{ index: 0, finishReason: googleEndings[ending ?? 'usual'], content: { role: 'model', parts } }],
    usageMetadata: {
      promptTokenCount,
      cachedContentTokenCount: tokensOf(cachedBytes),
      candidatesTokenCount: outputTokens,
      totalTokenCount: promptTokenCount + outputTokens,
    },
  }
}

const googleEndings = { refusal: 'PROHIBITED_CONTENT', filter: 'SAFETY', 'cut-off': 'MAX_TOKENS', usual: 'STOP' }

function tokensOf(bytes: number): number {
  return Math.ceil(bytes / bytesPerToken)
}
