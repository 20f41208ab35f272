import { z } from 'zod'
import type { McpServer } from '../../../spec/front-matter/front-matter.ts'
import { ownFile } from '../../../system/mdtest-package.ts'
import { ownServer, reportServer } from '../../report-access.ts'
import type { AcpTask } from '../acp-agent.ts'

export interface ServersTaken {
  readonly canHttp: boolean
  readonly canStdio: boolean
}

export function explainMissingServer(
  { title, request: { mcpServers = {}, executor } }: Pick<AcpTask, 'title' | 'request'>,
  { canHttp, canStdio }: ServersTaken,
): string | undefined {
  // An agent with stdio can use every server: for a server with a `url`, mdtest starts a bridge program.
  if (canStdio) return undefined
  if (canHttp) {
    const [program] = Object.entries(mcpServers).flatMap(([name, server]) => ('url' in server ? [] : [name]))
    if (program === undefined) return undefined
    return `${title} takes MCP servers only by URL, and \`${program}\` is a program. Give it a \`url\`.`
  }
  const [attached] = Object.keys(mcpServers)
  if (attached !== undefined) return `${title} takes no MCP servers, and the spec needs \`${attached}\`.`
  return executor !== undefined ? `${title} takes no MCP servers, and \`executor: mdtest\` needs one.` : undefined
}

/** The MCP servers of a task in the format of ACP's `session/new`. Empty if the agent takes no servers. */
export function acpServers(
  { reports, mcpServers }: AcpTask['request'],
  { canHttp, canStdio }: ServersTaken,
): readonly object[] {
  if (!canHttp && !canStdio) return []
  const own = reports && { [ownServer]: reportServer(reports) }
  return Object.entries({ ...own, ...mcpServers }).map(([name, given]) => {
    const server = 'url' in given && !canHttp ? bridgeTo(given) : given
    if ('url' in server) return { type: 'http', name, url: server.url, headers: pairs(server.headers) }
    const { command, args = [], env } = server
    return { name, command, args, env: pairs(env) }
  })
}

function pairs(values: Readonly<Record<string, string>> = {}): readonly object[] {
  return Object.entries(values).map(([name, value]) => ({ name, value }))
}

export const bridgeVariable = 'MDTEST_MCP_SERVER'

export const bridgedSchema = z.object({ url: z.string(), headers: z.record(z.string(), z.string()).exactOptional() })

function bridgeTo({ url, headers }: z.infer<typeof bridgedSchema>): McpServer {
  const env = { [bridgeVariable]: JSON.stringify({ url, headers }) }
  return { command: process.execPath, args: [ownFile('#acp-bridge')], env }
}
