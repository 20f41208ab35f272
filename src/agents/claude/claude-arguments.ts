import { dirname } from 'node:path'
import type { AgentRequest } from '../agent.ts'
import { isInside } from '../../system/files/is-inside.ts'
import { reportTools } from '../report-access.ts'

/**
 * What Claude Code may do and where it reports, with and without a terminal. Options that take several values are
 * written with `=`; behind them `--` has to keep a prompt from being taken for an option.
 */
export function claudeArguments(request: AgentRequest): readonly string[] {
  const { cwd, specFile, includedFiles = [], logFile } = request
  const logFolder = dirname(logFile)
  const outside = [specFile, ...includedFiles].filter((file) => !isInside(file, cwd))
  return [
    ...permissions(request, outside.map(readRule)),
    ...servers(request),
    ...(isInside(logFolder, cwd) ? [] : [`--add-dir=${logFolder}`]),
  ]
}

/** Servers of the user's own are left out, unless a tool of one is allowed: what they do costs, and nobody asked. */
function servers({ reports, answer, allow, mcpServers = {} }: AgentRequest): string[] {
  const configFile = reports?.configFile ?? answer?.mcpConfigFile
  if (configFile === undefined) return []
  const tools = [
    ...(reports === undefined ? [] : reportTools).map((tool) => `mcp__mdtest__${tool}`),
    // Whoever attaches a server wants its tools used.
    ...Object.entries(mcpServers).flatMap(([server, { tools }]) =>
      tools === undefined ? [`mcp__${server}`] : tools.map((tool) => `mcp__${server}__${tool}`),
    ),
  ].map((rule) => `--allowedTools=${rule}`)
  const isStrict = !allow.some((rule) => rule.startsWith('mcp__'))
  return ['--mcp-config', configFile, ...(isStrict ? ['--strict-mcp-config'] : []), ...tools]
}

/** From the root of the file system, written with two slashes. Special characters of rules and globs match any. */
function readRule(file: string): string {
  return `Read(/${file.replaceAll(/[()[\]{}*?!\\]/g, '?')})`
}

/** @param ownRules what the agent needs for its task, besides what the user allows */
function permissions(
  { allow, dangerouslyAllowAllActions }: Pick<AgentRequest, 'allow' | 'dangerouslyAllowAllActions'>,
  ownRules: readonly string[],
): string[] {
  if (dangerouslyAllowAllActions) return ['--dangerously-skip-permissions']
  return ['--permission-mode', 'acceptEdits', ...[...ownRules, ...allow].map((rule) => `--allowedTools=${rule}`)]
}
