import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { McpSession, httpTransport, type ServerTool, type ToolOutput } from '../../../mcp/mcp-session.ts'
import type { McpServer } from '../../../spec/front-matter/front-matter.ts'
import { messageOf } from '../../../system/error-facts.ts'
import { MdtestError } from '../../../system/mdtest-error.ts'
import type { BrowserTask } from '../browser-task.ts'

interface CallOptions {
  readonly signal?: AbortSignal | undefined
  readonly timeoutMs?: number
}

export interface ToolServer {
  readonly tools: readonly ServerTool[]
  call(tool: string, input: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<ToolOutput>
  close(): Promise<void>
}

/** Time limit of a call: nothing else ends a call on a page that hangs. */
const defaultTimeoutMs = 30_000

interface Where {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

const { signal: never } = new AbortController()

/** Starts a server as a child of this program, or connects to one. The child's stderr is dropped. */
async function openToolServer(server: McpServer, { cwd, env }: Where): Promise<ToolServer> {
  const transport =
    'url' in server
      ? httpTransport(server)
      : new StdioClientTransport({
          ...{ command: server.command, args: [...(server.args ?? [])], cwd, stderr: 'ignore' },
          env: { ...env, ...server.env },
        })
  const session = await McpSession.open(transport, { signal: never })
  return {
    tools: await session.listTools(never),
    async call(tool, input, { signal = never, timeoutMs = defaultTimeoutMs } = {}) {
      const answer = await session.call({ tool, input, timeoutMs, signal })
      if (answer.kind === 'answer') return answer
      throw new Error(answer.kind === 'timeout' ? `It timed out after ${timeoutMs} ms.` : answer.message)
    },
    close: () => session.close(),
  }
}

export interface TaskServers extends AsyncDisposable {
  readonly reports: ToolServer
  readonly others: ReadonlyMap<string, ToolServer>
}

export async function openServers(
  { cwd, reports: { url, token }, mcpServers }: BrowserTask,
  env: Readonly<Record<string, string>>,
): Promise<TaskServers> {
  const others = new Map<string, ToolServer>()
  const reports = await openToolServer({ url, headers: { Authorization: `Bearer ${token}` } }, { cwd, env })
  const closeAll = async (): Promise<void> => {
    await Promise.allSettled([reports, ...others.values()].map((server) => server.close()))
  }
  for (const [name, server] of Object.entries(mcpServers)) {
    try {
      others.set(name, await openToolServer(server, { cwd, env }))
    } catch (error: unknown) {
      await closeAll()
      const message = `The MCP server \`${name}\` cannot be used (${messageOf(error)}).`
      const hint = 'Start it by hand as `mcpServers` or `mcp-servers` say, and see.'
      throw new MdtestError('AGENT_MCP_UNAVAILABLE', message, { hint, cause: error })
    }
  }
  return { reports, others, [Symbol.asyncDispose]: closeAll }
}
