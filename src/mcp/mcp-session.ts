import { pathToFileURL } from 'node:url'
import { Client, ProtocolError, SdkError, SdkErrorCode, type Transport } from '@modelcontextprotocol/client'
import type { ServerTool, ToolAnswer, ToolCall, ToolPart } from './tool-call.ts'

interface SessionOptions {
  readonly signal: AbortSignal
  /** Absolute path of the folder that the server may work in, if it asks. */
  readonly workspace?: string
  /** Called once the connection is closed, by whomever. */
  onClose?(): void
}

/** For a server to start, in milliseconds: it may be fetched first. */
const startingMs = 60_000
/** To list its tools. */
const listingMs = 20_000

/** The conversation with one MCP server. */
export class McpSession {
  readonly #client: Client

  private constructor(client: Client) {
    this.#client = client
  }

  /** @throws Error where the server does not speak MCP; the transport is closed then */
  static async open(transport: Transport, { signal, workspace, onClose }: SessionOptions): Promise<McpSession> {
    const capabilities = workspace === undefined ? {} : { roots: {} }
    const client = new Client({ name: 'vitest-mdtest', version: '1' }, { capabilities })
    if (workspace !== undefined)
      client.setRequestHandler('roots/list', () => ({ roots: [{ uri: pathToFileURL(workspace).href }] }))
    try {
      await client.connect(transport, { signal, timeout: startingMs })
    } catch (error: unknown) {
      await transport.close()
      throw error
    }
    client.onclose = () => onClose?.()
    return new McpSession(client)
  }

  /** @throws Error where no answer can come any more */
  async call({ tool, input, timeoutMs, signal }: ToolCall): Promise<ToolAnswer> {
    try {
      const options = { signal, timeout: timeoutMs }
      const result = await this.#client.callTool({ name: tool, arguments: { ...input } }, options)
      const { content, structuredContent, isError = false } = result
      const given = content.flatMap(readPart)
      const isBare = given.length === 0 && structuredContent !== undefined
      const parts = isBare ? [textPart(JSON.stringify(structuredContent))] : given
      return { kind: 'answer', text: textOf(parts), parts, isError }
    } catch (error: unknown) {
      if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) return { kind: 'timeout' }
      if (!(error instanceof ProtocolError)) throw error
      return { kind: 'answer', text: error.message, parts: [textPart(error.message)], isError: true }
    }
  }

  /** @throws Error where the server does not tell them */
  async listTools(signal: AbortSignal): Promise<readonly ServerTool[]> {
    const { tools } = await this.#client.listTools(undefined, { signal, timeout: listingMs })
    return tools.map(({ name, description, inputSchema }) => ({
      ...{ name, inputSchema },
      ...(description !== undefined && { description }),
    }))
  }

  close(): Promise<void> {
    return this.#client.close()
  }
}

type Content = Awaited<ReturnType<Client['callTool']>>['content'][number]

function readPart(part: Content): readonly ToolPart[] {
  switch (part.type) {
    case 'text':
      return [textPart(part.text)]
    case 'image':
    case 'audio':
      return [{ type: part.type, data: part.data, mimeType: part.mimeType }]
    case 'resource_link':
      return [textPart(part.uri)]
    case 'resource':
      return 'text' in part.resource ? [textPart(part.resource.text)] : []
    default:
      return part satisfies never
  }
}

function textPart(text: string): ToolPart {
  return { type: 'text', text }
}

function textOf(parts: readonly ToolPart[]): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}
