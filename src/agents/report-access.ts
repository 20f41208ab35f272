import { withoutTools, type AttachedServers } from './attached-servers.ts'
import type { ReportAccess } from './agent.ts'

/** The tools of mdtest's server. */
export const reportTools = ['report_step', 'next_step'] as const // names, for command lines

/** A file of MCP servers with mdtest's and those that were attached. It holds the token. */
export function reportConfig(
  { url, token }: Pick<ReportAccess, 'url' | 'token'>,
  others: AttachedServers = {},
): string {
  const mdtest = { type: 'http', url, headers: { Authorization: `Bearer ${token}` }, alwaysLoad: true }
  const typed = Object.entries(others).map(([name, server]) => [
    name,
    'url' in server ? { ...withoutTools(server), type: 'http' } : withoutTools(server),
  ])
  return `${JSON.stringify({ mcpServers: { ...Object.fromEntries(typed), mdtest } }, undefined, 2)}\n`
}

const noProxyNames = ['NO_PROXY', 'no_proxy'] as const // names of variables
const loopback = '127.0.0.1'

/** The environment with loopback kept from any proxy: the way to the server must not lead through one. */
export function withoutProxyForLoopback(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  if (!Object.keys(env).some((name) => /^(?:https?|all)_proxy$/i.test(name))) return env
  const known = noProxyNames.map((name) => env[name] ?? '').find((value) => value !== '')
  if (known?.split(',').some((host) => host.trim() === loopback || host.trim() === '*')) return env
  const value = known === undefined ? loopback : `${known},${loopback}`
  return { ...env, ...Object.fromEntries(noProxyNames.map((name) => [name, value])) }
}
