/** One tool call that was answered: what the scripted model knows of the world. */
export interface ToolResult {
  readonly text: string
  readonly isError: boolean
}

/** What one model request holds, in the words of neither wire format. */
export interface Conversation {
  readonly api: 'anthropic' | 'openai'
  readonly model: string
  /** Text of the last message of the user. */
  readonly prompt: string
  /** Results of the tool calls since then, in order. */
  readonly results: readonly ToolResult[]
  /** Names of the tools that are offered. */
  readonly tools: readonly string[]
  /** A request of the CLI for itself (a title, a probe): no tools to work with. */
  readonly isSideRequest: boolean
}

type Json = Record<string, unknown>

/** Reads an Anthropic Messages request. */
export function readAnthropic(body: Json): Conversation {
  let prompt = ''
  let results: ToolResult[] = []
  for (const message of list(body.messages)) {
    if (message.role !== 'user') continue
    const blocks =
      typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : list(message.content)
    const answers = blocks.filter((block) => block.type === 'tool_result')
    if (answers.length > 0) {
      results.push(...answers.map((block) => ({ text: textOf(block.content), isError: block.is_error === true })))
    } else {
      prompt = textOf(blocks)
      results = []
    }
  }
  const tools = list(body.tools).map((tool) => String(tool.name))
  const isSideRequest = !tools.includes('Read') && !tools.includes('Bash')
  return { api: 'anthropic', model: String(body.model), prompt, results, tools, isSideRequest }
}

/** Reads an OpenAI Responses request. Newer models get their tools in an `additional_tools` input item. */
export function readOpenai(body: Json): Conversation {
  let prompt = ''
  let results: ToolResult[] = []
  const input = list(body.input)
  for (const item of input) {
    if (item.type === 'message' && item.role === 'user') {
      prompt = textOf(item.content)
      results = []
    } else if (String(item.type).endsWith('_output')) {
      results.push({ text: textOf(item.output), isError: false })
    }
  }
  const offered = [
    ...list(body.tools),
    ...input.flatMap((item) => (item.type === 'additional_tools' ? list(item.tools) : [])),
  ]
  const tools = offered.flatMap(toolNames)
  const isSideRequest = !tools.includes('exec_command') && !tools.includes('exec')
  return { api: 'openai', model: String(body.model), prompt, results, tools, isSideRequest }
}

function toolNames(tool: Json): string[] {
  if (tool.type === 'namespace') return list(tool.tools).flatMap(toolNames)
  return [String(tool.name ?? tool.type)]
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
