import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { McpSession, httpTransport, type ServerTool } from '../../../mcp/mcp-session.ts'
import { unusableServer } from '../../../mcp/server-failures.ts'
import type { McpServer } from '../../../spec/front-matter/front-matter.ts'
import type { BrowserTask } from '../browser-task.ts'

interface ToolServer {
  readonly session: Pick<McpSession, 'call' | 'close'>
  readonly tools: readonly ServerTool[]
}

interface Where {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

/** Starts a server as a child of this program, or connects to one. The child's stderr is dropped. */
async function openToolServer(server: McpServer, { cwd, env }: Where): Promise<ToolServer> {
  const transport =
    'url' in server
      ? httpTransport(server)
      : new StdioClientTransport({
          ...{ command: server.command, args: [...(server.args ?? [])], cwd, stderr: 'ignore' },
          env: { ...env, ...server.env },
        })
  const session = await McpSession.open(transport)
  return { session, tools: await session.listTools() }
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
    await Promise.allSettled([reports, ...others.values()].map(({ session }) => session.close()))
  }
  for (const [name, server] of Object.entries(mcpServers)) {
    try {
      others.set(name, await openToolServer(server, { cwd, env }))
    } catch (error: unknown) {
      await closeAll()
      throw unusableServer(name, error, 'AGENT_MCP_UNAVAILABLE')
    }
  }
  return { reports, others, [Symbol.asyncDispose]: closeAll }
}
