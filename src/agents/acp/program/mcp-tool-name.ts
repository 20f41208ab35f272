/**
 * The name in the journal (`mcp__SERVER__TOOL`) of a tool of one of these servers, whatever an agent makes of it;
 * `undefined` for a name that is none of theirs.
 */
export function mcpToolName(name: string, servers: readonly string[]): string | undefined {
  const [, shown, owner] = /^(\w[\w-]*) \((.+) MCP Server\)$/.exec(name) ?? []
  if (shown !== undefined && owner !== undefined) return servers.includes(owner) ? toolName(owner, shown) : undefined
  // Of two names that fit, the longer one is meant: `shop` and `shop_admin`.
  const byLength = servers.toSorted((one, other) => other.length - one.length)
  for (const server of byLength) {
    const start = [`mcp__${server}__`, `mcp_${server}_`, `${server}__`, `${server}_`, `${server}-`].find((each) =>
      name.startsWith(each),
    )
    const tool = start === undefined ? '' : name.slice(start.length)
    if (/^\w[\w-]*$/.test(tool)) return toolName(server, tool)
  }
  return undefined
}

function toolName(server: string, tool: string): string {
  return `mcp__${server}__${tool}`
}
