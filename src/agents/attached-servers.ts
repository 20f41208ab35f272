import type { McpServer } from '../spec/front-matter/front-matter.ts'

/** `tools`: the only ones that the agent may use; absent for all. */
export type AttachedServer = McpServer & { readonly tools?: readonly string[] }

export type AttachedServers = Readonly<Record<string, AttachedServer>>

/** The server as configurations of agents write it. */
export function withoutTools({ tools: _tools, ...server }: AttachedServer): McpServer {
  return server
}
