import { setTimeout as sleep } from 'node:timers/promises'

/** A message of JSON-RPC, as far as it is read. */
export interface RpcMessage {
  readonly id?: number | string
  readonly method?: string
  readonly result?: unknown
  readonly error?: { readonly message?: unknown }
}

/** The way to a server. */
export interface McpConnection {
  /** Sends a request and gives its answer. Rejects where none can come any more. */
  request(
    message: { readonly id: number | string; readonly [name: string]: unknown },
    signal: AbortSignal,
  ): Promise<RpcMessage>
  notify(message: object): Promise<void>
  close(): Promise<void>
}

/** A part of what a tool gave. Data are in base64. */
export type ToolPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string }

/** What a tool gave. */
export type ToolAnswer =
  /** `text`: all that is text in it. */
  | { readonly kind: 'answer'; readonly text: string; readonly parts: readonly ToolPart[]; readonly isError: boolean }
  | { readonly kind: 'timeout' }
  /** A sentence, with a way out. */
  | { readonly kind: 'lost'; readonly message: string }

/** A tool as its server describes it. */
export interface ServerTool {
  readonly name: string
  readonly description?: string
  /** JSON schema of an object. */
  readonly inputSchema: Readonly<Record<string, unknown>>
}

export interface ToolCall {
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
  /** In milliseconds. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** For a server to start, in milliseconds: it may be fetched first. */
const startingMs = 60_000
/** To list its tools. */
const listingMs = 20_000
/** A server that always names another page would keep us for ever. */
const maxPages = 100

const protocolVersion = '2025-06-18'

/** The conversation with one MCP server. */
export class McpSession {
  readonly #connection: McpConnection
  #lastId = 0

  private constructor(connection: McpConnection) {
    this.#connection = connection
  }

  /** @throws Error where the server does not speak MCP */
  static async open(connection: McpConnection, signal: AbortSignal): Promise<McpSession> {
    const session = new McpSession(connection)
    const clientInfo = { name: 'vitest-mdtest', version: '1' }
    const begun = await session.#ask(
      'initialize',
      { protocolVersion, capabilities: {}, clientInfo },
      { signal, timeoutMs: startingMs },
    )
    if (begun === undefined) throw new Error(`it did not answer within ${startingMs / 1000} s`)
    if (begun.error) throw new Error(`it answered: ${String(begun.error.message)}`)
    await connection.notify({ jsonrpc: '2.0', method: 'notifications/initialized' })
    return session
  }

  async call({ tool, input, timeoutMs, signal }: ToolCall): Promise<ToolAnswer> {
    const answer = await this.#ask('tools/call', { name: tool, arguments: input }, { signal, timeoutMs })
    if (answer === undefined) return { kind: 'timeout' }
    if (answer.error) return { kind: 'answer', ...textAnswer(String(answer.error.message)), isError: true }
    return { kind: 'answer', ...readResult(answer.result) }
  }

  /** @throws Error where the server does not tell them */
  async listTools(signal: AbortSignal): Promise<readonly ServerTool[]> {
    const tools: ServerTool[] = []
    let cursor: unknown
    for (let page = 0; page < maxPages; page += 1) {
      const params = cursor === undefined ? {} : { cursor }
      const answer = await this.#ask('tools/list', params, { signal, timeoutMs: listingMs })
      if (answer === undefined) throw new Error(`it did not list its tools within ${listingMs / 1000} s`)
      if (answer.error) throw new Error(`it does not list its tools: ${String(answer.error.message)}`)
      const { tools: listed, nextCursor } = propertiesOf(answer.result)
      tools.push(...(Array.isArray(listed) ? listed.flatMap(readTool) : []))
      cursor = nextCursor
      if (typeof cursor !== 'string') break
    }
    return tools
  }

  close(): Promise<void> {
    return this.#connection.close()
  }

  /** `undefined` where the time is over. */
  async #ask(
    method: string,
    params: object,
    { signal, timeoutMs }: Pick<ToolCall, 'signal' | 'timeoutMs'>,
  ): Promise<RpcMessage | undefined> {
    this.#lastId += 1
    const over = new AbortController()
    const either = AbortSignal.any([signal, over.signal])
    try {
      return await Promise.race([
        this.#connection.request({ jsonrpc: '2.0', id: this.#lastId, method, params }, either),
        sleep(timeoutMs, undefined, { signal: either }),
      ])
    } finally {
      over.abort()
    }
  }
}

type Properties = Readonly<Record<string, unknown>>

function propertiesOf(value: unknown): Properties {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function readTool(value: unknown): readonly ServerTool[] {
  const { name, description, inputSchema } = propertiesOf(value)
  if (typeof name !== 'string') return []
  return [{ name, inputSchema: propertiesOf(inputSchema), ...(typeof description === 'string' && { description }) }]
}

type Result = Omit<Extract<ToolAnswer, { kind: 'answer' }>, 'kind'>

function readResult(result: unknown): Result {
  const { content, structuredContent, isError } = propertiesOf(result)
  const parts = Array.isArray(content) ? content.flatMap(readPart) : []
  const isBare = parts.length === 0 && structuredContent !== undefined
  const read = isBare ? textAnswer(JSON.stringify(structuredContent)) : { text: textOf(parts), parts }
  return { ...read, isError: isError === true }
}

function textAnswer(text: string): Omit<Result, 'isError'> {
  return { text, parts: [{ type: 'text', text }] }
}

function textOf(parts: readonly ToolPart[]): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}

function readPart(value: unknown): readonly ToolPart[] {
  const { type, text, data, mimeType, resource, uri } = propertiesOf(value)
  if (typeof text === 'string') return [{ type: 'text', text }]
  if ((type === 'image' || type === 'audio') && typeof data === 'string' && typeof mimeType === 'string')
    return [{ type, data, mimeType }]
  if (type === 'resource_link' && typeof uri === 'string') return [{ type: 'text', text: uri }]
  return type === 'resource' ? readPart({ text: propertiesOf(resource)['text'] }) : []
}
