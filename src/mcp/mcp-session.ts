import { pathToFileURL } from 'node:url'
import {
  Client,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  type Transport,
  StreamableHTTPClientTransport,
  parseJSONRPCMessage,
  serializeMessage,
} from '@modelcontextprotocol/client'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { launch } from '../system/process/launcher/launch.ts'
import type { LauncherAddress } from '../system/process/launcher/launcher.ts'
import type { LiveTree } from '../system/process/launcher/live-trees.ts'
import { killTree } from '../system/process/trees/kill-trees.ts'
import { withMarks } from '../system/process/trees/marks.ts'
import type { McpServer } from '../spec/front-matter/front-matter.ts'
import { readLines } from '../system/process/read-output.ts'

/** A part of what a tool gave. Data are in base64. */
export type ToolPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string }

export interface ToolOutput {
  readonly text: string
  readonly parts: readonly ToolPart[]
  readonly isError: boolean
}

export type ToolAnswer =
  | ({ readonly kind: 'answer' } & ToolOutput)
  | { readonly kind: 'timeout' }
  | { readonly kind: 'lost'; readonly message: string }

export interface ServerTool {
  readonly name: string
  readonly description?: string
  readonly inputSchema: Readonly<Record<string, unknown>>
}

export interface ToolCall {
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** Where the programs of servers are started. */
export interface ProgramPlace {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly launcher: LauncherAddress
  readonly runMark: string
  /** `startTime`: as `readStartTime` gives it. */
  onStart(tree: LiveTree & { readonly startTime: string | undefined }): void
  onEnd(pid: number): void
}

interface SessionOptions {
  readonly signal: AbortSignal
  /** Absolute paths of folders that the server may work in, if it asks. */
  readonly workspaces?: readonly string[]
}

/** For a server to start, in milliseconds: it may be fetched first. */
const startingMs = 60_000
const listingMs = 20_000

export class McpSession {
  readonly #client: Client

  private constructor(client: Client) {
    this.#client = client
  }

  /** @throws Error where the server does not speak MCP; the transport is closed then */
  static async open(transport: Transport, { signal, workspaces }: SessionOptions): Promise<McpSession> {
    const capabilities = workspaces === undefined ? {} : { roots: {} }
    const client = new Client({ name: 'vitest-mdtest', version: '1' }, { capabilities })
    if (workspaces !== undefined)
      client.setRequestHandler('roots/list', () => ({
        roots: workspaces.map((folder) => ({ uri: pathToFileURL(folder).href })),
      }))
    try {
      await client.connect(transport, { signal, timeout: startingMs })
    } catch (error: unknown) {
      await transport.close()
      throw error
    }
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
      const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
      return { kind: 'answer', text: texts.join('\n'), parts, isError }
    } catch (error: unknown) {
      if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) return { kind: 'timeout' }
      if (!(error instanceof ProtocolError)) throw error
      return { kind: 'answer', text: error.message, parts: [textPart(error.message)], isError: true }
    }
  }

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

/**
 * Starts a server, or connects to one, and begins the conversation with it.
 *
 * @throws Error where it cannot be used; its program has ended then
 */
export async function openSession(server: McpServer, place: ProgramPlace, signal: AbortSignal): Promise<McpSession> {
  const transport = 'url' in server ? httpTransport(server) : await programTransport(server, place)
  return McpSession.open(transport, { signal })
}

export function httpTransport({
  url,
  headers = {},
}: Pick<Extract<McpServer, { url: string }>, 'url' | 'headers'>): StreamableHTTPClientTransport {
  return new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } })
}

/** For a server to end by itself, in milliseconds. */
const endingMs = 500

/**
 * Starts a program that speaks MCP on its standard streams. To close the transport ends it with all that it started.
 * @throws Error where it cannot be started
 */
async function programTransport(
  { command, args = [], env = {} }: Extract<McpServer, { command: string }>,
  place: ProgramPlace,
): Promise<Transport> {
  const mark = randomUUID()
  const program = {
    argv: [command, ...args] as const, // never empty
    cwd: place.cwd,
    env: withMarks({ ...place.env, ...env }, [place.runMark, mark]),
  }
  const { pid, startTime, pipes, ended, unref } = await launch(place.launcher, program, [0, 1])
  unref()
  place.onStart({ pid, startTime, mark })
  const [input, output] = pipes
  let closing: Promise<void> | undefined
  const end = async (): Promise<void> => {
    input.end()
    await Promise.race([ended.catch(() => undefined), sleep(endingMs, undefined, { ref: false })])
    await killTree({ pid, mark, graceMs: 0 })
    place.onEnd(pid)
    for (const pipe of pipes) pipe.destroy()
  }
  const transport: Transport = {
    async start() {
      output.on('close', () => transport.onclose?.())
      readLines(output, (line) => {
        try {
          transport.onmessage?.(parseJSONRPCMessage(JSON.parse(line)))
        } catch {
          // What some servers print besides.
        }
      })
    },
    async send(message) {
      input.write(serializeMessage(message))
    },
    close: () => (closing ??= end()),
  }
  return transport
}
