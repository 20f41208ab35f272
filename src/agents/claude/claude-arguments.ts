import { dirname } from 'node:path'
import type { AgentRequest } from '../agent.ts'
import { isInside } from '../../system/files/paths.ts'
import { ownTools, reportTools } from '../report-access.ts'

/**
 * What Claude Code may do and where it reports, with and without a terminal. Options that take several values are
 * written with `=`; behind them `--` has to keep a prompt from being taken for an option.
 */
export function claudeArguments(request: AgentRequest): readonly string[] {
  const { cwd, specFile, includedFiles = [], logFile } = request
  const logFolder = dirname(logFile)
  const ownRules = [specFile, ...includedFiles].filter((file) => !isInside(file, cwd)).map(readRule)
  if (request.executor !== undefined) return [...withoutExecutor(ownRules), ...servers(request, request.executor.tools)]
  return [
    ...permissions(request, ownRules),
    ...servers(request),
    ...(isInside(logFolder, cwd) ? [] : [`--add-dir=${logFolder}`]),
  ]
}

/** It may look at files, which is no evidence. Rules of the user's are for mdtest's tool `run`, not for its own. */
function withoutExecutor(ownRules: readonly string[]): string[] {
  const tools = ['--tools', readingTools.join(','), '--no-chrome', '--permission-mode', 'dontAsk']
  return [...tools, ...ownRules.map((rule) => `--allowedTools=${rule}`)]
}

/** All tools of its own that Claude Code has where mdtest alone executes. */
const readingTools: readonly string[] = ['Read', 'Glob', 'Grep']

/**
 * Servers of the user's own are left out, unless a tool of one is allowed: what they do costs, and nobody asked.
 * @param executor tools of mdtest's server by which the agent acts; then there is no other server
 */
function servers({ reports, answer, allow, mcpServers = {} }: AgentRequest, executor?: readonly string[]): string[] {
  const configFile = reports?.configFile ?? answer?.mcpConfigFile
  const isStrict = executor !== undefined || !allow.some((rule) => rule.startsWith('mcp__'))
  if (configFile === undefined) return executor === undefined ? [] : ['--strict-mcp-config']
  const attached = Object.entries(executor === undefined ? mcpServers : {})
  const tools = [
    ...[...(reports === undefined ? [] : reportTools), ...(executor ?? [])].map((tool) => ownTools + tool),
    // Whoever attaches a server wants its tools used.
    ...attached.flatMap(([server, { tools }]) =>
      tools === undefined ? [`mcp__${server}`] : tools.map((tool) => `mcp__${server}__${tool}`),
    ),
  ].map((rule) => `--allowedTools=${rule}`)
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
