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
import { killTrees } from '../system/process/trees/kill-trees.ts'
import { withMarks } from '../system/process/trees/marks.ts'
import type { McpServer } from '../spec/front-matter/front-matter.ts'
import { readLines } from '../system/process/read-output.ts'
import { ToolTimeout } from './server-failures.ts'

export interface ServerTool {
  readonly name: string
  readonly description?: string
  readonly inputSchema: Readonly<Record<string, unknown>>
}

export interface ToolCall {
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
  /** Time limit of the call. Nothing else ends a call that waits for a hanging page. @default 30_000 */
  readonly timeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
}

export interface ProgramPlace {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly launcher: LauncherAddress
  readonly runMark: string
  /** `startTime` is the result of `readStartTime`. */
  onStart(tree: LiveTree & { readonly startTime: string | undefined }): void
  onEnd(pid: number): void
}

/** A part of a tool's output. `data` is base64. */
export type ToolPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string }

export interface ToolOutput {
  readonly text: string
  readonly parts: readonly ToolPart[]
  readonly isError: boolean
}

interface SessionOptions {
  readonly signal?: AbortSignal
  /** Absolute paths of folders. A server gets them if it asks for its roots. */
  readonly workspaces?: readonly string[]
}

/** Time for a server to start, which may include a download. */
const startingMs = 60_000
const listingMs = 20_000
const callingMs = 30_000

const { signal: never } = new AbortController()

export class McpSession {
  readonly #client: Client

  private constructor(client: Client) {
    this.#client = client
  }

  /** @throws Error if the server does not speak MCP. The transport is closed then. */
  static async open(transport: Transport, { signal = never, workspaces }: SessionOptions = {}): Promise<McpSession> {
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

  /** @throws {ToolTimeout}, or another Error if the connection is lost */
  async call({ tool, input, timeoutMs = callingMs, signal = never }: ToolCall): Promise<ToolOutput> {
    try {
      const options = { signal, timeout: timeoutMs }
      return toolOutputOf(await this.#client.callTool({ name: tool, arguments: { ...input } }, options))
    } catch (error: unknown) {
      if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout)
        throw new ToolTimeout(`It timed out after ${timeoutMs} ms.`, { cause: error })
      if (!(error instanceof ProtocolError)) throw error
      return { text: error.message, parts: [textPart(error.message)], isError: true }
    }
  }

  async listTools(signal: AbortSignal = never): Promise<readonly ServerTool[]> {
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

type Result = Awaited<ReturnType<Client['callTool']>>

function toolOutputOf({ content, structuredContent, isError = false }: Result): ToolOutput {
  const given = content.flatMap(contentParts)
  const isBare = given.length === 0 && structuredContent !== undefined
  const parts = isBare ? [textPart(JSON.stringify(structuredContent))] : given
  return { text: parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n'), parts, isError }
}

function contentParts(part: Result['content'][number]): readonly ToolPart[] {
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

/** Starts a server or connects to one. @throws Error if the server cannot be used; its program has then ended */
export async function openSession(server: McpServer, place: ProgramPlace, signal: AbortSignal): Promise<McpSession> {
  return McpSession.open('url' in server ? httpTransport(server) : await programTransport(server, place), { signal })
}

export type HttpServer = Extract<McpServer, { readonly url: string }>

export function httpTransport({ url, headers = {} }: HttpServer): StreamableHTTPClientTransport {
  return new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } })
}

/** Time for a server to exit by itself. */
const endingMs = 500

/** Starts a stdio server. Closing the transport ends it and its children. @throws Error if the start fails */
async function programTransport(
  { command, args = [], env = {} }: Extract<McpServer, { command: string }>,
  place: ProgramPlace,
): Promise<Transport> {
  const mark = randomUUID()
  const program = {
    argv: [command, ...args] as const, // not empty
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
    await killTrees({ roots: [{ pid }], mark, graceMs: 0 })
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
          // Ignore other text, which some servers print.
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
