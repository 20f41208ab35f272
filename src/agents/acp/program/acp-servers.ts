import type { McpServer } from '../../../spec/front-matter/front-matter.ts'
import { withoutTools } from '../../attached-servers.ts'
import { bridgeTo } from '../bridge/bridged-server.ts'
import { ownServer } from '../../report-access.ts'
import type { AcpTask } from '../acp-task.ts'

/** The MCP servers that an agent takes. */
export interface ServersTaken {
  /** Whether it reaches servers by HTTP. */
  readonly canHttp: boolean
  /** Whether it starts servers that are programs. */
  readonly canStdio: boolean
}

/** Whether an agent takes any server. One that takes none writes the result log. */
export function takesServers({ canHttp, canStdio }: ServersTaken): boolean {
  return canHttp || canStdio
}

/** Why an agent cannot carry out a task: it would not get a server that the task needs. */
export function explainMissingServer(
  { title, gate, mcpServers }: Pick<AcpTask, 'title' | 'gate' | 'mcpServers'>,
  taken: ServersTaken,
): string | undefined {
  // A bridge is a program.
  if (taken.canStdio) return undefined
  if (taken.canHttp) {
    const program = Object.keys(mcpServers).find((name) => !('url' in (mcpServers[name] ?? {})))
    if (program === undefined) return undefined
    return `${title} takes MCP servers by their address alone, and \`${program}\` is a program. Give it a \`url\`.`
  }
  const [attached] = Object.keys(mcpServers)
  if (attached !== undefined) return `${title} takes no MCP servers, and the spec needs \`${attached}\`.`
  return gate.isLookingOnly ? `${title} takes no MCP servers, and \`executor: mdtest\` needs one.` : undefined
}

/** All MCP servers of a task as `session/new` takes them, mdtest's own first; none for an agent that takes none. */
export function acpServers(
  { reports, mcpServers }: Pick<AcpTask, 'reports' | 'mcpServers'>,
  taken: ServersTaken,
): readonly object[] {
  if (!takesServers(taken)) return []
  const own = reports && { url: reports.url, headers: { Authorization: `Bearer ${reports.token}` } }
  return [
    ...(own ? [toAcp(ownServer, own, taken)] : []),
    ...Object.entries(mcpServers).map(([name, server]) => toAcp(name, withoutTools(server), taken)),
  ]
}

function toAcp(name: string, given: McpServer, { canHttp }: ServersTaken): object {
  const server = 'url' in given && !canHttp ? bridgeTo(given) : given
  if ('url' in server) return { type: 'http', name, url: server.url, headers: pairs(server.headers) }
  const { command, args = [], env } = server
  return { name, command, args, env: pairs(env) }
}

function pairs(values: Readonly<Record<string, string>> = {}): readonly object[] {
  return Object.entries(values).map(([name, value]) => ({ name, value }))
}
