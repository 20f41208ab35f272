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
  request(message: { readonly id: number; readonly [name: string]: unknown }, signal: AbortSignal): Promise<RpcMessage>
  notify(message: object): Promise<void>
  close(): Promise<void>
}

/** What a tool gave. */
export type ToolAnswer =
  | { readonly kind: 'answer'; readonly text: string; readonly isError: boolean }
  | { readonly kind: 'timeout' }
  /** A sentence, with a way out. */
  | { readonly kind: 'lost'; readonly message: string }

export interface ToolCall {
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
  /** In milliseconds. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** For a server to start, in milliseconds: it may be fetched first. */
const startingMs = 60_000

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
    if (answer.error) return { kind: 'answer', text: String(answer.error.message), isError: true }
    return { kind: 'answer', ...readResult(answer.result) }
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

function readResult(result: unknown): { readonly text: string; readonly isError: boolean } {
  if (typeof result !== 'object' || result === null) return { text: '', isError: false }
  const parts = 'content' in result && Array.isArray(result.content) ? (result.content as readonly unknown[]) : []
  const texts = parts.flatMap((part) =>
    typeof part === 'object' && part !== null && 'text' in part && typeof part.text === 'string' ? [part.text] : [],
  )
  return { text: texts.join('\n'), isError: 'isError' in result && result.isError === true }
}
