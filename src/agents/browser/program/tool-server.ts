import { pathToFileURL } from 'node:url'
import type { Client, Transport } from '@modelcontextprotocol/client'
import { loadPeer } from '../../load-peer.ts'
import type { McpServer } from '../../../spec/front-matter/mcp-servers.ts'

/** A tool as its server describes it. */
export interface ServerTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: Readonly<Record<string, unknown>>
}

/** What a call of a tool gives. */
export interface ToolOutput {
  readonly isError: boolean
  readonly text: string
  readonly images: readonly { readonly data: string; readonly mediaType: string }[]
}

export interface CallOptions {
  readonly signal?: AbortSignal
  readonly timeoutMs?: number
}

/** A connected MCP server. */
export interface ToolServer {
  readonly tools: readonly ServerTool[]
  /** Of a program; absent for a server that is reached by HTTP. */
  readonly pid?: number
  call(tool: string, input: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<ToolOutput>
  close(): Promise<void>
}

/** Ends a call on a page that hangs: nothing else does. */
const defaultTimeoutMs = 30_000

interface Where {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Absolute path of the folder that the server may work in, if it asks. */
  readonly workspace?: string
  /** Told once the connection is closed, by whomever. */
  onClose?(): void
}

/** Starts a server, or connects to one. Its standard error goes nowhere. */
export async function openToolServer(server: McpServer, where: Where): Promise<ToolServer> {
  const { Client } = await loadClient()
  const { workspace } = where
  const capabilities = workspace === undefined ? {} : { roots: {} }
  const client = new Client({ name: 'vitest-mdtest', version: '1' }, { capabilities })
  if (workspace !== undefined)
    client.setRequestHandler('roots/list', () => ({ roots: [{ uri: pathToFileURL(workspace).href }] }))
  const transport = 'url' in server ? await httpTransport(server) : await programTransport(server, where)
  await client.connect(transport)
  client.onclose = () => where.onClose?.()
  const { tools } = await client.listTools()
  const pid = 'pid' in transport && typeof transport.pid === 'number' ? transport.pid : undefined
  return { ...toolServerOf(client, tools), ...(pid !== undefined && { pid }) }
}

async function programTransport(
  { command, args = [], env = {} }: Extract<McpServer, { command: string }>,
  where: Where,
): Promise<Transport> {
  const { StdioClientTransport } = await loadPeer(
    '@modelcontextprotocol/client',
    () => import('@modelcontextprotocol/client/stdio'),
  )
  return new StdioClientTransport({
    command,
    args: [...args],
    cwd: where.cwd,
    env: { ...where.env, ...env },
    stderr: 'ignore',
  })
}

async function httpTransport({ url, headers = {} }: Extract<McpServer, { url: string }>): Promise<Transport> {
  const { StreamableHTTPClientTransport } = await loadClient()
  return new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } })
}

function loadClient(): Promise<typeof import('@modelcontextprotocol/client')> {
  return loadPeer('@modelcontextprotocol/client', () => import('@modelcontextprotocol/client'))
}

type ClientTool = Awaited<ReturnType<Client['listTools']>>['tools'][number]
type Content = Awaited<ReturnType<Client['callTool']>>['content']

function toolServerOf(client: Client, tools: readonly ClientTool[]): ToolServer {
  return {
    tools: tools.map(({ name, description = '', inputSchema }) => ({ name, description, inputSchema })),
    async call(name, input, { signal, timeoutMs = defaultTimeoutMs } = {}) {
      const { content, isError = false } = await client.callTool(
        { name, arguments: { ...input } },
        { timeout: timeoutMs, ...(signal && { signal }) },
      )
      return { isError, text: textOf(content), images: imagesOf(content) }
    },
    close: () => client.close(),
  }
}

function textOf(content: Content): string {
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}

function imagesOf(content: Content): ToolOutput['images'] {
  return content.flatMap((part) => (part.type === 'image' ? [{ data: part.data, mediaType: part.mimeType }] : []))
}
