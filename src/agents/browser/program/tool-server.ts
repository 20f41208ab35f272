import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { McpSession, httpTransport } from '../../../mcp/mcp-session.ts'
import type { ServerTool, ToolOutput } from '../../../mcp/tool-call.ts'
import type { McpServer } from '../../../spec/front-matter/front-matter.ts'

export interface CallOptions {
  readonly signal?: AbortSignal
  readonly timeoutMs?: number
}

/** A connected MCP server. */
export interface ToolServer {
  readonly tools: readonly ServerTool[]
  /** Of a program; absent for a server that is reached by HTTP. */
  readonly pid?: number
  /** @throws Error where it gives no answer */
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

const { signal: never } = new AbortController()

/** Starts a server, a child of this program that ends with it, or connects to one. Its standard error goes nowhere. */
export async function openToolServer(server: McpServer, { cwd, env, ...place }: Where): Promise<ToolServer> {
  const transport = 'url' in server ? httpTransport(server) : programTransport(server, { cwd, env })
  const session = await McpSession.open(transport, { ...place, signal: never })
  const tools = await session.listTools(never)
  const pid = 'pid' in transport ? transport.pid : undefined
  return {
    tools,
    ...(typeof pid === 'number' && { pid }),
    async call(tool, input, { signal = never, timeoutMs = defaultTimeoutMs } = {}) {
      const answer = await session.call({ tool, input, timeoutMs, signal })
      if (answer.kind === 'answer') return answer
      throw new Error(answer.kind === 'timeout' ? `It timed out after ${timeoutMs} ms.` : answer.message)
    },
    close: () => session.close(),
  }
}

function programTransport(
  { command, args = [], env = {} }: Extract<McpServer, { command: string }>,
  place: Pick<Where, 'cwd' | 'env'>,
): StdioClientTransport {
  return new StdioClientTransport({
    ...{ command, args: [...args], cwd: place.cwd, stderr: 'ignore' },
    env: { ...place.env, ...env },
  })
}
