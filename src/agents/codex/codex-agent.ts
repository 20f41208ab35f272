import { dirname, join } from 'node:path'
import { z } from 'zod'
import type { McpServer, McpServers } from '../../spec/front-matter/front-matter.ts'
import { isInside } from '../../system/files/paths.ts'
import type { Command } from '../../system/process/command.ts'
import { runProgram } from '../../system/process/run-program.ts'
import { parseJson } from '../../system/text/parse-json.ts'
import { singleQuoted } from '../../system/text/shell-and-regex-quotes.ts'
import { withoutUndefined } from '../../system/without-undefined.ts'
import type { AgentEvent, AgentRequest, Confined, InterfaceRequest, NamedAgent } from '../agent.ts'
import { asks, names, readEventLine, text } from '../agent-events.ts'
import { prepareWithServers } from '../browser/equip-with-browser.ts'
import { ownServer } from '../report-access.ts'
import { readCodexDiagnostics, readCodexEvents } from './codex-events.ts'

export const codexAgent: NamedAgent<'codex', true> = {
  name: 'codex',
  title: 'Codex',
  bin: 'codex',
  reports: 'environment',
  confinement: 'own',
  worksOnCode: true,
  install: 'npm install -g @openai/codex',
  ownFolders: ['.codex'],
  ownVariables: names(`
    CODEX_CI CODEX_MANAGED_BY_NPM CODEX_MANAGED_PACKAGE_ROOT CODEX_SESSION_ID CODEX_THREAD_ID CODEX_TOOL_CALL_ID
    CODEX_VERSION`),
  prepare: prepareWithServers,
  buildCommand,
  ownPaths: (env) => [codexHome(env)],
  sessionsFolder: (env) => join(codexHome(env), 'sessions'),
  confine: confineCodex,
  readEvents: readCodexEvents,
  readDiagnostics: readCodexDiagnostics,
  interface: {
    buildCommand: buildInterfaceCommand,
    readNote: (line) => readEventLine(line, noteSchema, noteEvents),
    firstQuestions: [
      asks(
        /Doyoutrustthecontentsofthisdirectory|Notinsideatrusteddirectory/,
        'whether to trust this folder',
        'start `codex` there once and say yes',
      ),
      {
        pattern: /SigninwithChatGPT/,
        message: 'asks you to log in: do so in the terminal (`mdtest run`), or run `codex login`.',
      },
      asks(/MeetGPT-|Trynewmodel/, 'whether to change to a newer model', 'start `codex` once'),
      asks(
        /Skipuntilnextversion/,
        'whether to update itself',
        'set `check_for_update_on_startup = false` in its `config.toml`',
      ),
    ],
  },
}

function codexHome({ CODEX_HOME, HOME = '' }: Command['env']): string {
  return CODEX_HOME ?? join(HOME, '.codex')
}

function buildCommand(request: AgentRequest): Command {
  const { answer, prompt, cwd } = request
  const schema = answer === undefined ? [] : ['--output-schema', answer.schemaFile]
  // Options of `codex exec` must stand before the subcommand `resume`.
  const options = ['--json', '--skip-git-repo-check', ...codexArguments(request), ...schema]
  const session = answer?.sessionId
  const words = session === undefined ? ['--', prompt] : ['resume', '--', session, prompt]
  return { argv: ['codex', 'exec', ...options, ...words], cwd, env: codexEnvironment(request) }
}

function buildInterfaceCommand(request: InterfaceRequest): Command {
  const { prompt, cwd, notesFile } = request
  // Codex runs this command when a turn is over, with JSON as an additional argument.
  const note = ['sh', '-c', `printf '%s\\n' "$1" >> ${singleQuoted(notesFile)}`, 'sh']
  const options = [
    // Without this setting, a daemon with a copy of the whole program stays behind.
    ...['-c', 'features.daemon_auto_start=false'],
    ...codexArguments(request),
    ...['-c', `notify=${JSON.stringify(note)}`],
  ]
  return { argv: ['codex', ...options, '--', prompt], cwd, env: codexEnvironment(request) }
}

const noteSchema = z.object({ type: z.literal('agent-turn-complete'), 'thread-id': text })

function noteEvents({ 'thread-id': sessionId }: z.infer<typeof noteSchema>): AgentEvent[] {
  return [
    { type: 'opened', ...withoutUndefined({ sessionId }) },
    { type: 'end', isError: false },
  ]
}

/** Arguments for codex. Put `--` after them, so that the prompt is not taken for an option or a subcommand. */
function codexArguments(request: AgentRequest): readonly string[] {
  const { executor, logFile, cwd, mcpServers = {}, env, reports, network, dangerouslyAllowAllActions } = request
  const reporting = reports === undefined ? [] : ownSettings(reports.url)
  if (executor !== undefined)
    return [...withoutExecutor, ...toSettings([...reporting, `mcp_servers.${ownServer}.${approval}`])]
  // Set `network_access` even if it is false, because the user's configuration may say the opposite.
  const sandbox = ['--sandbox', 'workspace-write', '-c', `sandbox_workspace_write.network_access=${network}`]
  const logFolder = dirname(logFile)
  return [
    ...(dangerouslyAllowAllActions ? ['--dangerously-bypass-approvals-and-sandbox'] : sandbox),
    ...toSettings([...reporting, ...codexServers(mcpServers, env).settings]),
    ...(isInside(logFolder, cwd) ? [] : ['--add-dir', logFolder]),
  ]
}

/** The token and the secrets of MCP servers go into variables, because every user can read command lines. */
function codexEnvironment({ env, reports, executor, mcpServers = {} }: AgentRequest): Command['env'] {
  const servers = codexServers(executor === undefined ? mcpServers : {}, env)
  return { ...env, ...servers.env, ...(reports && { [tokenVariable]: reports.token }) }
}

function toSettings(settings: readonly string[]): string[] {
  return settings.flatMap((setting) => ['-c', setting])
}

/** A codex version without this feature exits with an error, so the shell cannot stay on unnoticed. */
const withoutShell = ['--disable', 'shell_tool'] as const
/** Plugins and apps add MCP servers that `mcp list` does not show. */
const withoutForeign = toSettings(['features.plugins=false', 'features.apps=false'])

/** Removes the tools that run commands. The patch tools stay, but the read-only sandbox refuses all patches. */
const withoutExecutor: readonly string[] = [
  ...[...withoutShell, '--sandbox', 'read-only'],
  ...toSettings([
    // Never ask the user of a terminal for more rights.
    'approval_policy="never"',
    ...['web_search="disabled"', 'features.unified_exec=false'],
    // Helper agents would use their role's settings instead of these settings.
    ...['agents.enabled=false', 'features.multi_agent=false'],
    // Hooks and `notify` are commands of the user, which would run outside of the executor.
    ...['features.hooks=false', 'notify=[]'],
  ]),
  ...withoutForeign,
]

const tokenVariable = 'MDTEST_REPORT_TOKEN'
/** By default codex waits for a user's approval, but no user is there. */
const approval = 'default_tools_approval_mode="approve"'

/** Without `required=true` codex would start even if the server fails, and nothing would explain missing reports. */
function ownSettings(url: string): readonly string[] {
  const variable = `bearer_token_env_var=${JSON.stringify(tokenVariable)}`
  // 60 s are enough, because the server answers within 20 s.
  return [`url=${JSON.stringify(url)}`, variable, 'required=true', 'tool_timeout_sec=60'].map(
    (setting) => `mcp_servers.${ownServer}.${setting}`,
  )
}

/** Settings and variables for MCP servers. A variable that conflicts with another value goes into the settings. */
function codexServers(servers: McpServers, env: Command['env']) {
  const passed: Record<string, string> = {}
  const pass = (name: string, value: string): boolean => {
    const isPassed = (env[name] ?? passed[name] ?? value) === value
    if (isPassed) passed[name] = value
    return isPassed
  }
  const placeOf = (server: McpServer, prefix: string): string[] => {
    if ('url' in server) {
      const headers = Object.entries(server.headers ?? {}).map(([header, value], index) => {
        passed[`${prefix}_${index}`] = value
        return [header, `${prefix}_${index}`] as const
      })
      return [`url=${JSON.stringify(server.url)}`, `env_http_headers=${toTable(headers)}`]
    }
    const { command, args = [], env: variables = {} } = server
    const written = Object.entries(variables).filter(([name, value]) => !pass(name, value))
    const names = Object.keys(variables).filter((name) => !written.some(([each]) => each === name))
    return [
      `command=${JSON.stringify(command)}`,
      `args=${JSON.stringify(args)}`,
      `env=${toTable(written)}`,
      `env_vars=${JSON.stringify(names)}`,
    ]
  }
  const settings = Object.entries(servers).flatMap(([name, server]) => {
    const place = placeOf(server, `MDTEST_MCP_${name.replaceAll('-', '_')}`)
    return [...place, approval, 'required=true'].map((setting) => `mcp_servers.${name}.${setting}`)
  })
  return { settings, env: passed }
}

function toTable(pairs: readonly (readonly [string, string])[]): string {
  return `{${pairs.map(([name, value]) => `${JSON.stringify(name)}=${JSON.stringify(value)}`).join(',')}}`
}

const asked = '`codex --disable shell_tool mcp list --json`'
const serversSchema = z.array(z.object({ name: z.string(), enabled: z.boolean().catch(true) }))

/** Turns off all other MCP servers, because a server could run anything. Codex needs the name of each server. */
async function confineCodex(command: Command, wrap: (command: Command) => Command): Promise<Confined> {
  const [program, ...args] = command.argv
  const question = [program, ...withoutShell, ...withoutForeign, 'mcp', 'list', '--json'] as const
  const { argv, cwd, env } = wrap({ ...command, argv: question })
  const { stdout, stderr, failure } = await runProgram(argv, { cwd, env, timeoutMs: 20_000 })
  if (failure !== undefined) {
    const said = /^error: .*$/im.exec(stderr.toString())?.[0] ?? failure.message
    return { ok: false, why: `${asked} failed: ${said}` }
  }
  const servers = serversSchema.safeParse(parseJson(stdout.toString())).data
  if (servers === undefined) return { ok: false, why: `${asked} gave no list of servers.` }
  const others = servers.flatMap(({ name, enabled }) => (enabled && name !== ownServer ? [name] : []))
  const odd = others.find((name) => !/^[\w-]+$/.test(name))
  if (odd !== undefined) return { ok: false, why: `No setting can switch its MCP server \`${odd}\` off: rename it.` }
  const off = toSettings(others.map((name) => `mcp_servers.${name}.enabled=false`))
  const end = args.indexOf('--')
  return { ok: true, command: { ...command, argv: [program, ...args.slice(0, end), ...off, ...args.slice(end)] } }
}
