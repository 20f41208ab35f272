import type { McpServer } from '../../spec/front-matter/front-matter.ts'
import type { AttachedServers } from '../attached-servers.ts'
import { dirname } from 'node:path'
import type { AgentRequest } from '../agent.ts'
import { isInside } from '../../system/files/paths.ts'
import { foreignServers } from './confine-codex.ts'

/**
 * What codex may do and where it reports, with and without a terminal. Behind them `--` has to keep a prompt from being
 * taken for an option or a subcommand.
 */
export function codexArguments(request: AgentRequest): readonly string[] {
  const logFolder = dirname(request.logFile)
  if (request.executor !== undefined) return [...withoutExecutor, ...reporting(request), ...toSettings(withExecutor)]
  return [
    ...sandbox(request),
    ...reporting(request),
    ...toSettings(codexServers(request.mcpServers ?? {}, request.env).settings),
    ...(isInside(logFolder, request.cwd) ? [] : ['--add-dir', logFolder]),
  ]
}

/** The environment with the token of the report server and secrets of others, which must not stand in the command line. */
export function codexEnvironment({
  env,
  reports,
  executor,
  mcpServers = {},
}: AgentRequest): Readonly<Record<string, string>> {
  const token = reports === undefined ? {} : { [tokenVariable]: reports.token }
  return { ...env, ...codexServers(executor === undefined ? mcpServers : {}, env).env, ...token }
}

/** Takes all tools away that execute or write. Patches stay, and are refused by the sandbox. */
const withoutExecutor: readonly string[] = [
  // A version that does not know the switch says so and ends.
  ...['--disable', 'shell_tool'],
  ...['--sandbox', 'read-only'],
  ...toSettings([
    // In a terminal nobody is to be asked for more.
    'approval_policy="never"',
    'web_search="disabled"',
    'features.unified_exec=false',
    // Helpers would have the settings of their role.
    'agents.enabled=false',
    'features.multi_agent=false',
    // Commands of the user's own.
    'features.hooks=false',
    'notify=[]',
    // They bring servers.
    ...foreignServers,
  ]),
]

const withExecutor = ['mcp_servers.mdtest.default_tools_approval_mode="approve"']

function toSettings(settings: readonly string[]): string[] {
  return settings.flatMap((setting) => ['-c', setting])
}

const tokenVariable = 'MDTEST_REPORT_TOKEN'

/** `required`: without the server codex would start all the same, and nobody would know why nothing is reported. */
function reporting({ reports }: Pick<AgentRequest, 'reports'>): string[] {
  if (reports === undefined) return []
  const settings = [
    `url=${JSON.stringify(reports.url)}`,
    `bearer_token_env_var=${JSON.stringify(tokenVariable)}`,
    'required=true',
    `tool_timeout_sec=${toolTimeoutSec}`,
  ]
  return toSettings(settings.map((setting) => `mcp_servers.mdtest.${setting}`))
}

/** The server answers within 20 s. */
const toolTimeoutSec = 60

function sandbox({
  network,
  dangerouslyAllowAllActions,
}: Pick<AgentRequest, 'network' | 'dangerouslyAllowAllActions'>): string[] {
  if (dangerouslyAllowAllActions) return ['--dangerously-bypass-approvals-and-sandbox']
  // Network is said in both cases: the user's own configuration may have it the other way.
  return ['--sandbox', 'workspace-write', '-c', `sandbox_workspace_write.network_access=${network}`]
}

/** Codex's settings for servers, and variables for what must not stand in a command line. */
interface CodexServers {
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
function codexServers(servers: AttachedServers, env: Readonly<Record<string, string>>): CodexServers {
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
