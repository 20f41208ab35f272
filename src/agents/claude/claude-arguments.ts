import { dirname } from 'node:path'
import { isInside } from '../../system/files/paths.ts'
import type { AgentRequest } from '../agent.ts'
import { ownTools, reportTools } from '../report-access.ts'

/** An option with several values needs `=`: without it, the option would take `--` and the prompt as values. */
export function claudeArguments(request: AgentRequest): readonly string[] {
  const { cwd, specFile, includedFiles = [], logFile, allow, dangerouslyAllowAllActions, executor } = request
  const logFolder = dirname(logFile)
  // In rules two slashes begin an absolute path. `?` replaces characters that rules and globs treat specially.
  const ownRules = [specFile, ...includedFiles]
    .filter((file) => !isInside(file, cwd))
    .map((file) => `Read(/${file.replaceAll(/[()[\]{}*?!\\]/g, '?')})`)
  // Claude Code itself may only read files, because reading is no evidence. The user's rules apply to the tool `run`.
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
  // Users attach a server in order to use it, so its tools need no rule.
  const attached = Object.keys(executor === undefined ? mcpServers : {}).map((server) => `mcp__${server}`)
  return ['--mcp-config', configFile, ...strict, ...allowing([...tools, ...attached])]
}
