/** A tool call as it goes over the wire. A string `input` makes a freeform ("custom") call of codex. */
export interface ModelCall {
  readonly name: string
  readonly input: string | Readonly<Record<string, unknown>>
  /** MCP server of a codex call. */
  readonly namespace?: string
}

export interface ModelAnswer {
  readonly text?: string
  readonly calls?: readonly ModelCall[]
  /**
   * What the request is said to have had, where the answer is a stream.
   * @default 100
   */
  readonly inputTokens?: number
  /**
   * Why the answer ends where it does, where it is not a stream: the model would not, a filter would not, or it was cut
   * off at the most tokens. Default: the model has said all.
   */
  readonly ending?: 'refusal' | 'filter' | 'cut-off'
}

export interface WireEvent extends Record<string, unknown> {
  readonly type: string
}

/** Server-sent events of an Anthropic Messages answer. `id` makes ids that are unique in a server. */
export function anthropicEvents(model: string, answer: ModelAnswer, id: (prefix: string) => string): WireEvent[] {
  const calls = answer.calls ?? []
  const content = [
    ...(answer.text === undefined ? [] : [{ type: 'text', text: answer.text }]),
    ...calls.map((call) => ({ type: 'tool_use', id: id('toolu'), name: call.name, input: call.input })),
  ]
  const { inputTokens = 100 } = answer
  const usage = {
    input_tokens: inputTokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: 10,
  }
  const message = { id: id('msg'), type: 'message', role: 'assistant', model, content: [], stop_sequence: null }
  return [
    { type: 'message_start', message: { ...message, stop_reason: null, usage: { ...usage, output_tokens: 1 } } },
    ...content.flatMap((block, index) => [
      {
        type: 'content_block_start',
        index,
        content_block: 'text' in block ? { type: 'text', text: '' } : { ...block, input: {} },
      },
      {
        type: 'content_block_delta',
        index,
        delta:
          'text' in block
            ? { type: 'text_delta', text: block.text }
            : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) },
      },
      { type: 'content_block_stop', index },
    ]),
    {
      type: 'message_delta',
      delta: { stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn', stop_sequence: null },
      usage: { output_tokens: usage.output_tokens },
    },
    { type: 'message_stop' },
  ]
}

/** Server-sent events of an OpenAI Responses answer. */
export function openaiEvents(model: string, answer: ModelAnswer, id: (prefix: string) => string): WireEvent[] {
  const items = openaiItems(answer, id)
  const { inputTokens = 100 } = answer
  const response = { id: id('resp'), object: 'response', created_at: 0, model }
  const usage = {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 10,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: inputTokens + 10,
  }
  return [
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
    ...items.flatMap((item, output_index) => [
      { type: 'response.output_item.added', output_index, item },
      { type: 'response.output_item.done', output_index, item },
    ]),
    { type: 'response.completed', response: { ...response, status: 'completed', output: items, usage } },
  ]
}

/** What an OpenAI Responses answer consists of. */
export function openaiItems(
  { text, calls = [], ending }: ModelAnswer,
  id: (prefix: string) => string,
): readonly Record<string, unknown>[] {
  const part =
    ending === 'refusal' ? { type: 'refusal', refusal: text } : { type: 'output_text', text, annotations: [] }
  return [...(text === undefined ? [] : [openaiMessageOf(part, id)]), ...calls.map((call) => openaiCall(call, id))]
}

function openaiMessageOf(part: object, id: (prefix: string) => string): Record<string, unknown> {
  const content = [part]
  return { type: 'message', id: id('msg'), role: 'assistant', status: 'completed', content }
}

function openaiCall(call: ModelCall, id: (prefix: string) => string): Record<string, unknown> {
  const namespace = call.namespace === undefined ? {} : { namespace: call.namespace }
  const common = { call_id: id('call'), name: call.name, ...namespace, status: 'completed' }
  return typeof call.input === 'string'
    ? { type: 'custom_tool_call', id: id('ctc'), ...common, input: call.input }
    : { type: 'function_call', id: id('fc'), ...common, arguments: JSON.stringify(call.input) }
}
