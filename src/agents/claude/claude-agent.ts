import { dirname, join } from 'node:path'
import { z } from 'zod'
import { isInside } from '../../system/files/paths.ts'
import type { Command } from '../../system/process/command.ts'
import { singleQuoted } from '../../system/text/shell-and-regex-quotes.ts'
import { withoutUndefined } from '../../system/without-undefined.ts'
import type { AgentEvent, AgentRequest, InterfaceRequest, NamedAgent } from '../agent.ts'
import { asks, names, readEventLine, text } from '../agent-events.ts'
import { prepareWithServers } from '../browser/equip-with-browser.ts'
import { ownTools, reportTools } from '../report-access.ts'
import { readClaudeEvents } from './claude-events.ts'

export const claudeAgent: NamedAgent<'claude', true> = {
  name: 'claude',
  title: 'Claude Code',
  bin: 'claude',
  reports: 'file',
  confinement: 'own',
  tellsCost: true,
  keepsDirectory: true,
  worksOnCode: true,
  install: 'npm install -g @anthropic-ai/claude-code',
  ownFolders: ['.claude'],
  ownVariables: names(`
    CLAUDECODE CLAUDE_CODE_ENTRYPOINT CLAUDE_CODE_SESSION_ID CLAUDE_CODE_CHILD_SESSION CLAUDE_CODE_SSE_PORT
    CLAUDE_CODE_EXECPATH CLAUDE_CODE_CHILD_NOTES_DIR CLAUDE_CODE_MESSAGING_SOCKET CLAUDE_CODE_MESSAGING_TOKEN
    CLAUDE_CODE_SESSION_ATTENDED CLAUDE_PID AI_AGENT`),
  prepare: prepareWithServers,
  buildCommand,
  ownPaths: ({ CLAUDE_CONFIG_DIR: folder, HOME: home = '' }) =>
    folder === undefined ? [join(home, '.claude'), join(home, '.claude.json')] : [folder],
  sessionsFolder: ({ CLAUDE_CONFIG_DIR: folder, HOME: home = '' }) => join(folder ?? join(home, '.claude'), 'projects'),
  readEvents: readClaudeEvents,
  interface: {
    buildCommand: buildInterfaceCommand,
    readNote: (line) => readEventLine(line, noteSchema, noteEvents),
    firstQuestions: [
      asks(
        /trustthisfolder|folderisn'ttrusted/,
        'whether to trust this folder',
        'start `claude` there once and say yes',
      ),
      asks(/usethisAPIkey/, 'whether to use the API key of its environment', 'start `claude` once and say yes'),
      asks(/BypassPermissionsmode/, 'whether to work without any permissions'),
      {
        pattern: /Selectloginmethod|Choosethetextstyle|UnabletoconnecttoAnthropicservices/,
        message: 'has to be set up first (theme, login): start `claude` once and answer its questions.',
      },
    ],
  },
}

function buildCommand(request: AgentRequest): Command {
  const { prompt, cwd, env, maxCostUsd, answer } = request
  const options = [
    ...settingsOf(request),
    ...claudeArguments(request),
    ...(maxCostUsd === undefined ? [] : [`--max-budget-usd=${maxCostUsd}`]),
    ...(answer === undefined ? [] : [`--json-schema=${JSON.stringify(answer.schema)}`]),
    ...(answer?.sessionId === undefined ? [] : [`--resume=${answer.sessionId}`]),
  ]
  return { argv: ['claude', '-p', '--output-format', 'stream-json', '--verbose', ...options, '--', prompt], cwd, env }
}

/** Options with several values are written with `=`. Otherwise the option would swallow `--` and the prompt. */
function claudeArguments(request: AgentRequest): readonly string[] {
  const { cwd, specFile, includedFiles = [], logFile, allow, dangerouslyAllowAllActions, executor } = request
  const logFolder = dirname(logFile)
  // In rules two slashes begin an absolute path. `?` replaces characters that rules and globs treat specially.
  const ownRules = [specFile, ...includedFiles]
    .filter((file) => !isInside(file, cwd))
    .map((file) => `Read(/${file.replaceAll(/[()[\]{}*?!\\]/g, '?')})`)
  // With an executor, Claude Code itself may only read files. Commands go through mdtest's tool `run`.
  if (executor !== undefined) {
    const tools = ['--tools', 'Read,Glob,Grep', '--no-chrome', '--permission-mode', 'dontAsk']
    return [...tools, ...allowing(ownRules), ...servers(request)]
  }
  return [
    ...(dangerouslyAllowAllActions
      ? ['--dangerously-skip-permissions']
      : ['--permission-mode', 'acceptEdits', ...allowing([...ownRules, ...allow])]),
    ...servers(request),
    ...(isInside(logFolder, cwd) ? [] : [`--add-dir=${logFolder}`]),
  ]
}

function allowing(rules: readonly string[]): readonly string[] {
  return rules.map((rule) => `--allowedTools=${rule}`)
}

/** Leaves out the user's own servers, because they cost tokens. Keeps them if a rule allows an MCP tool. */
function servers({ reports, answer, allow, mcpServers = {}, executor }: AgentRequest): readonly string[] {
  const configFile = reports?.configFile ?? answer?.mcpConfigFile
  const isOpen = executor === undefined && allow.some((rule) => rule.startsWith('mcp__'))
  const strict = isOpen ? [] : ['--strict-mcp-config']
  if (configFile === undefined) return executor === undefined ? [] : strict
  const own = [...(reports === undefined ? [] : reportTools), ...(executor?.tools ?? [])]
  const tools = own.map((tool) => ownTools + tool)
  // Tools of an attached server need no rule: the user attached the server on purpose.
  const attached = Object.keys(executor === undefined ? mcpServers : {}).map((server) => `mcp__${server}`)
  return ['--mcp-config', configFile, ...strict, ...allowing([...tools, ...attached])]
}

function settingsOf({ executor, answer }: AgentRequest): readonly string[] {
  // Hooks are shell commands of the user, the project or plugins. They would run outside of the executor.
  if (executor !== undefined) return ['--settings', JSON.stringify({ disableAllHooks: true })]
  if (answer !== undefined) return []
  // Without this hook, the user's own `Stop` hook could make Claude Code go on after its last message, at a cost.
  const Stop = [{ hooks: [{ type: 'command', command: `echo '{"continue":false}'` }] }]
  return ['--settings', JSON.stringify({ hooks: { Stop } })]
}

function buildInterfaceCommand(request: InterfaceRequest): Command {
  const { prompt, cwd, env, notesFile, executor } = request
  const hook = (print: string): readonly object[] => [
    { hooks: [{ type: 'command', command: `${print} >> ${singleQuoted(notesFile)}` }] },
  ]
  // A hook gets one line of JSON on stdin. After a tool call, an empty line is enough as a sign of life.
  const note = hook('{ cat; echo; }')
  const hooks = { SessionStart: note, Stop: note, PostToolUse: hook('echo') }
  const options = [
    ...claudeArguments(request),
    // Ignore the user's settings, which could turn off all hooks, including ours.
    ...(executor === undefined ? [] : ['--setting-sources=']),
    ...['--settings', JSON.stringify({ hooks })],
  ]
  return { argv: ['claude', ...options, '--', prompt], cwd, env }
}

const noteSchema = z.object({ hook_event_name: z.enum(['SessionStart', 'Stop']), session_id: text, model: text })

function noteEvents({ hook_event_name: name, session_id: sessionId, model }: z.infer<typeof noteSchema>): AgentEvent[] {
  if (name === 'Stop') return [{ type: 'end', isError: false }]
  return [{ type: 'opened', ...withoutUndefined({ sessionId, model }) }]
}
