import type { McpServer } from '../../../spec/front-matter/mcp-servers.ts'
import { withoutTools } from '../../attached-servers.ts'
import { bridgeTo } from '../bridge/bridged-server.ts'
import { ownServer } from '../../report-access.ts'
import type { AcpTask } from '../acp-task.ts'

/** What an agent takes. */
interface Taken {
  /** Of the protocol. */
  readonly version: 1 | 2
  /** Whether it reaches servers by HTTP. */
  readonly canHttp: boolean
}

/** All MCP servers of a task as `session/new` takes them, mdtest's own first. */
export function acpServers(
  { reports, mcpServers }: Pick<AcpTask, 'reports' | 'mcpServers'>,
  taken: Taken,
): readonly object[] {
  const own = reports && { url: reports.url, headers: { Authorization: `Bearer ${reports.token}` } }
  return [
    ...(own ? [toAcp(ownServer, own, taken)] : []),
    ...Object.entries(mcpServers).map(([name, server]) => toAcp(name, withoutTools(server), taken)),
  ]
}

function toAcp(name: string, given: McpServer, { version, canHttp }: Taken): object {
  const server = 'url' in given && !canHttp ? bridgeTo(given) : given
  if ('url' in server) return { type: 'http', name, url: server.url, headers: pairs(server.headers) }
  const { command, args = [], env } = server
  return { ...(version === 2 && { type: 'stdio' }), name, command, args, env: pairs(env) }
}

function pairs(values: Readonly<Record<string, string>> = {}): readonly object[] {
  return Object.entries(values).map(([name, value]) => ({ name, value }))
}
