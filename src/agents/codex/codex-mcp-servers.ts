import type { McpServer } from '../../spec/front-matter/mcp-servers.ts'
import type { AttachedServers } from '../attached-servers.ts'

/** Codex's settings for servers, and variables for what must not stand in a command line. */
export interface CodexServers {
  /** Each behind a `-c`. */
  readonly settings: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/**
 * Tells codex of MCP servers. Of a program's variables it can only pass on its own: those whose names it has already are
 * written out.
 *
 * @param env environment of codex
 */
export function codexServers(servers: AttachedServers, env: Readonly<Record<string, string>>): CodexServers {
  const passed: Record<string, string> = {}
  const settings = Object.entries(servers).flatMap(([name, server]) => {
    const values = 'url' in server ? httpSettings(name, server, passed) : programSettings(server, { env, passed })
    // Else it asks a user, of whom there is none.
    const tools = server.tools === undefined ? [] : [`enabled_tools=${JSON.stringify(server.tools)}`]
    return [...values, ...tools, 'default_tools_approval_mode="approve"', 'required=true'].map(
      (setting) => `mcp_servers.${name}.${setting}`,
    )
  })
  return { settings, env: passed }
}

interface Environments {
  readonly env: Readonly<Record<string, string>>
  /** Gets what codex is to pass on. */
  readonly passed: Record<string, string>
}

function programSettings(
  { command, args = [], env: own = {} }: Extract<McpServer, { command: string }>,
  { env, passed }: Environments,
): string[] {
  const written: Record<string, string> = {}
  const names: string[] = []
  for (const [name, value] of Object.entries(own)) {
    if ((env[name] ?? passed[name] ?? value) === value) {
      passed[name] = value
      names.push(name)
    } else written[name] = value
  }
  return [
    `command=${JSON.stringify(command)}`,
    `args=${JSON.stringify(args)}`,
    `env=${toTable(written)}`,
    `env_vars=${JSON.stringify(names)}`,
  ]
}

function httpSettings(
  server: string,
  { url, headers = {} }: Extract<McpServer, { url: string }>,
  passed: Record<string, string>,
): string[] {
  const names = Object.entries(headers).map(([header, value], index) => {
    const name = `MDTEST_MCP_${server.replaceAll('-', '_')}_${index}`
    passed[name] = value
    return [header, name] as const // a pair
  })
  return [`url=${JSON.stringify(url)}`, `env_http_headers=${toTable(Object.fromEntries(names))}`]
}

/** An inline table of TOML; its strings are those of JSON. */
function toTable(values: Readonly<Record<string, string>>): string {
  return `{${Object.entries(values)
    .map(([name, value]) => `${JSON.stringify(name)}=${JSON.stringify(value)}`)
    .join(',')}}`
}
