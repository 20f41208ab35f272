import type { HttpServer } from '../mcp/mcp-session.ts'
import type { McpServers } from '../spec/front-matter/front-matter.ts'
import type { ReportAccess } from './agent.ts'

export const reportTools = ['report_step', 'next_step'] as const

export const ownServer = 'mdtest'

/** Prefix of the tools of mdtest's server, as Claude Code and Codex name them. */
export const ownTools = `mcp__${ownServer}__`

/** Settings with the attached MCP servers, and with mdtest's server if `reports` is set. May contain secrets. */
export function mcpConfig(others: McpServers, reports?: Pick<ReportAccess, 'url' | 'token'>): string {
  const typed = Object.entries(others).map(([name, server]) => [
    name,
    'url' in server ? { ...server, type: 'http' } : server,
  ])
  const own = reports && { [ownServer]: { type: 'http', ...reportServer(reports), alwaysLoad: true } }
  return `${JSON.stringify({ mcpServers: { ...Object.fromEntries(typed), ...own } }, undefined, 2)}\n`
}

export function reportServer({ url, token }: Pick<ReportAccess, 'url' | 'token'>): HttpServer {
  return { url, headers: { Authorization: `Bearer ${token}` } }
}

const noProxyNames = ['NO_PROXY', 'no_proxy'] as const
const loopback = '127.0.0.1'

/** Excludes loopback from all proxies, because mdtest's server must be reached directly. */
export function withoutProxyForLoopback(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  if (!Object.keys(env).some((name) => /^(?:https?|all)_proxy$/i.test(name))) return env
  const known = noProxyNames.map((name) => env[name] ?? '').find((value) => value !== '')
  if (known?.split(',').some((host) => host.trim() === loopback || host.trim() === '*')) return env
  const value = known === undefined ? loopback : `${known},${loopback}`
  return { ...env, ...Object.fromEntries(noProxyNames.map((name) => [name, value])) }
}
