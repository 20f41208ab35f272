import { toConversation, type Conversation, type Entry } from './conversation.ts'

type Json = Record<string, unknown>

/** Reads an Anthropic Messages request. */
export function readAnthropic(body: Json): Conversation {
  const entries = list(body.messages).flatMap((message): Entry[] => {
    const blocks = typeof message.content === 'string' ? [textBlock(message.content)] : list(message.content)
    if (message.role === 'assistant') return [{ kind: 'model', text: textOf(ofType(blocks, 'text')) }]
    // Claude Code also sends messages of the system in between.
    if (message.role !== 'user') return []
    const answers = ofType(blocks, 'tool_result')
    if (answers.length === 0) return [{ kind: 'user', text: textOf(blocks) }]
    // Where a turn broke off, the next task comes with the results of the one before.
    const task = ofType(blocks, 'text').filter(({ text }) => !String(text).startsWith('<system-reminder>'))
    return [
      ...answers.map((block) => resultOf(block.content, block.is_error === true)),
      ...(task.length === 0 ? [] : [{ kind: 'user', text: textOf(task) } as const]), // one of the kinds
    ]
  })
  const tools = list(body.tools).map((tool) => String(tool.name))
  return toConversation({ api: 'anthropic', model: String(body.model), system: textOf(body.system), tools, entries })
}

/** Reads an OpenAI Responses request. Newer models get their tools in an `additional_tools` input item. */
export function readOpenai(body: Json): Conversation {
  const input = list(body.input)
  const entries = input.flatMap((item): Entry[] => {
    if (item.role === 'user') return [{ kind: 'user', text: textOf(item.content) }]
    if (item.role === 'assistant') return [{ kind: 'model', text: textOf(item.content) }]
    return String(item.type).endsWith('_output') ? [resultOf(item.output, false)] : []
  })
  const offered = [
    ...list(body.tools),
    ...input.flatMap((item) => (item.type === 'additional_tools' ? list(item.tools) : [])),
  ]
  const system = [body.instructions, ...input.filter(isSystem).map(({ content }) => content)].map(textOf).join('\n')
  return toConversation({
    api: 'openai',
    model: String(body.model),
    system,
    tools: offered.flatMap(toolNames),
    entries,
  })
}

/** Reads an OpenAI Chat Completions request. */
export function readChat(body: Json): Conversation {
  const messages = list(body.messages)
  const entries = messages.flatMap(({ role, content }): Entry[] => {
    if (role === 'user') return [{ kind: 'user', text: textOf(content) }]
    if (role === 'assistant') return [{ kind: 'model', text: textOf(content) }]
    return role === 'tool' ? [resultOf(content, false)] : []
  })
  const system = messages
    .filter(isSystem)
    .map(({ content }) => textOf(content))
    .join('\n')
  const tools = list(body.tools).flatMap((tool) => list([tool.function]).flatMap(toolNames))
  return toConversation({ api: 'chat', model: String(body.model), system, tools, entries })
}

/** Reads a `generateContent` request of Google; the model is in the path. */
export function readGoogle(body: Json, model: string): Conversation {
  const entries = list(body.contents).flatMap(({ role, parts }): Entry[] => {
    const texts = textOf(list(parts).filter((part) => 'text' in part))
    if (role === 'model') return [{ kind: 'model', text: texts }]
    const answers = list(parts).flatMap((part) => list([part.functionResponse]))
    if (answers.length === 0) return [{ kind: 'user', text: texts }]
    return answers.flatMap(({ response }) =>
      list([response]).map((told) => resultOf(told.output ?? told.error ?? told, false)),
    )
  })
  const tools = list(body.tools).flatMap((tool) => list(tool.functionDeclarations).flatMap(toolNames))
  const system = textOf(list([body.systemInstruction]).flatMap(({ parts }) => list(parts)))
  return toConversation({ api: 'google', model, system, tools, entries })
}

function resultOf(content: unknown, isError: boolean): Entry {
  return { kind: 'result', text: textOf(content), isError }
}

function toolNames(tool: Json): string[] {
  if (tool.type === 'namespace') return list(tool.tools).flatMap(toolNames)
  return [String(tool.name ?? tool.type)]
}

function isSystem({ role }: Json): boolean {
  return role === 'system' || role === 'developer'
}

function ofType(blocks: readonly Json[], type: string): readonly Json[] {
  return blocks.filter((block) => block.type === type)
}

function textBlock(text: string): Json {
  return { type: 'text', text }
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (Array.isArray(content)) return content.map(textOf).join('\n')
  if (typeof content !== 'object' || content === null) return ''
  if ('text' in content) return textOf(content.text)
  if ('content' in content) return textOf(content.content)
  return JSON.stringify(content)
}

function list(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter((item): item is Json => typeof item === 'object' && item !== null) : []
}
