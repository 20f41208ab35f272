import { dirname } from 'node:path'
import type { Command } from '../../exec/command.ts'
import type { AgentRequest, CliAgent } from '../agent.ts'
import { isInside } from '../is-inside.ts'
import { reportTools } from '../report-access.ts'
import { readClaudeEvents } from './read-claude-events.ts'

/** Claude Code without a terminal: `claude -p`. */
export const claudeAgent: CliAgent = {
  name: 'claude',
  bin: 'claude',
  reports: 'file',
  buildCommand: buildClaudeCommand,
  readEvents: readClaudeEvents,
}

function buildClaudeCommand({
  prompt,
  cwd,
  specFile,
  includedFiles = [],
  logFile,
  env,
  ...request
}: AgentRequest): Command {
  const logFolder = dirname(logFile)
  const outside = [specFile, ...includedFiles].filter((file) => !isInside(file, cwd))
  return {
    // Options that take several values are written with `=`, and `--` keeps a prompt from being taken for an option.
    argv: [
      'claude',
      '-p',
      '--output-format',
      'stream-json',
      '--verbose',
      ...permissions(request, outside.map(readRule)),
      ...reporting(request),
      ...budget(request),
      ...(isInside(logFolder, cwd) ? [] : [`--add-dir=${logFolder}`]),
      '--',
      prompt,
    ],
    cwd,
    env,
  }
}

/** Servers of the user's own are left out, unless a tool of one is allowed: what they do costs, and nobody asked. */
function reporting({ reports, allow }: Pick<AgentRequest, 'reports' | 'allow'>): string[] {
  if (reports === undefined) return []
  const tools = reportTools.map((tool) => `--allowedTools=mcp__mdtest__${tool}`)
  const isStrict = !allow.some((rule) => rule.startsWith('mcp__'))
  return ['--mcp-config', reports.configFile, ...(isStrict ? ['--strict-mcp-config'] : []), ...tools]
}

function budget({ maxCostUsd }: Pick<AgentRequest, 'maxCostUsd'>): string[] {
  return maxCostUsd === undefined ? [] : [`--max-budget-usd=${maxCostUsd}`]
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
