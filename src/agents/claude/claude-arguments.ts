import { dirname } from 'node:path'
import { isInside } from '../../system/files/paths.ts'
import type { AgentRequest } from '../agent.ts'
import { ownTools, reportTools } from '../report-access.ts'

/** Options that take several values are written with `=`: behind them stands `--`, and the prompt is no value. */
export function claudeArguments(request: AgentRequest): readonly string[] {
  const { cwd, specFile, includedFiles = [], logFile, allow, dangerouslyAllowAllActions, executor } = request
  const logFolder = dirname(logFile)
  // From the root of the file system, written with two slashes. Special characters of rules and globs match any.
  const ownRules = [specFile, ...includedFiles]
    .filter((file) => !isInside(file, cwd))
    .map((file) => `Read(/${file.replaceAll(/[()[\]{}*?!\\]/g, '?')})`)
  // It may look at files, which is no evidence. Rules of the user's are for mdtest's tool `run`, not for its own.
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

/** Servers of the user's own are left out, unless a tool of one is allowed: what they do costs, and nobody asked. */
function servers({ reports, answer, allow, mcpServers = {}, executor }: AgentRequest): readonly string[] {
  const configFile = reports?.configFile ?? answer?.mcpConfigFile
  const isOpen = executor === undefined && allow.some((rule) => rule.startsWith('mcp__'))
  const strict = isOpen ? [] : ['--strict-mcp-config']
  if (configFile === undefined) return executor === undefined ? [] : strict
  const own = [...(reports === undefined ? [] : reportTools), ...(executor?.tools ?? [])]
  const tools = own.map((tool) => ownTools + tool)
  // Whoever attaches a server wants its tools used.
  const attached = Object.keys(executor === undefined ? mcpServers : {}).map((server) => `mcp__${server}`)
  return ['--mcp-config', configFile, ...strict, ...allowing([...tools, ...attached])]
}
