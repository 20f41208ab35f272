import { dirname } from 'node:path'
import type { Command } from '../../exec/command.ts'
import type { AgentRequest, CliAgent } from '../agent.ts'
import { isInside } from '../is-inside.ts'
import { readCodexDiagnostics } from './read-codex-diagnostics.ts'
import { readCodexEvents } from './read-codex-events.ts'

/** Codex without a terminal: `codex exec`. */
export const codexAgent: CliAgent = {
  name: 'codex',
  bin: 'codex',
  reports: 'environment',
  buildCommand: buildCodexCommand,
  readEvents: readCodexEvents,
  readDiagnostics: readCodexDiagnostics,
}

function buildCodexCommand({ prompt, cwd, logFile, env, ...request }: AgentRequest): Command {
  const logFolder = dirname(logFile)
  return {
    // `--` keeps a prompt from being taken for an option or a subcommand.
    argv: [
      'codex',
      'exec',
      '--json',
      '--skip-git-repo-check',
      ...sandbox(request),
      ...reporting(request),
      ...(isInside(logFolder, cwd) ? [] : ['--add-dir', logFolder]),
      '--',
      prompt,
    ],
    cwd,
    env: request.reports === undefined ? env : { ...env, [tokenVariable]: request.reports.token },
  }
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
  return settings.flatMap((setting) => ['-c', `mcp_servers.mdtest.${setting}`])
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
