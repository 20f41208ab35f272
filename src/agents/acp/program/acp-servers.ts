import type { McpServer } from '../../../spec/front-matter/mcp-servers.ts'
import { withoutTools } from '../../attached-servers.ts'
import { bridgeTo } from '../bridge/bridged-server.ts'
import { ownServer } from '../../report-access.ts'
import type { AcpTask } from '../acp-task.ts'

/** All MCP servers of a task as `session/new` takes them, mdtest's own first. `canHttp`: whether the agent reaches servers by HTTP. */
export function acpServers(
  { reports, mcpServers }: Pick<AcpTask, 'reports' | 'mcpServers'>,
  canHttp: boolean,
): readonly object[] {
  const own = reports && { url: reports.url, headers: { Authorization: `Bearer ${reports.token}` } }
  return [
    ...(own ? [toAcp(ownServer, own, canHttp)] : []),
    ...Object.entries(mcpServers).map(([name, server]) => toAcp(name, withoutTools(server), canHttp)),
  ]
}

function toAcp(name: string, given: McpServer, canHttp: boolean): object {
  const server = 'url' in given && !canHttp ? bridgeTo(given) : given
  if ('url' in server) return { type: 'http', name, url: server.url, headers: pairs(server.headers) }
  return { name, command: server.command, args: server.args ?? [], env: pairs(server.env) }
}

function pairs(values: Readonly<Record<string, string>> = {}): readonly object[] {
  return Object.entries(values).map(([name, value]) => ({ name, value }))
}
