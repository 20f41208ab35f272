import type { Command } from '../../system/process/command.ts'
import type { AgentRequest, NamedAgent } from '../agent.ts'
import { prepareWithServers } from '../browser/equip-with-browser.ts'
import { claudeArguments } from './claude-arguments.ts'
import { claudeInterface } from './claude-interface.ts'
import { readClaudeEvents } from './read-claude-events.ts'
import { join } from 'node:path'

/** Claude Code without a terminal: `claude -p`. */
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
  ownVariables: [
    'CLAUDECODE',
    'CLAUDE_CODE_ENTRYPOINT',
    'CLAUDE_CODE_SESSION_ID',
    'CLAUDE_CODE_CHILD_SESSION',
    'CLAUDE_CODE_SSE_PORT',
    'CLAUDE_CODE_EXECPATH',
    'CLAUDE_CODE_CHILD_NOTES_DIR',
    'CLAUDE_CODE_MESSAGING_SOCKET',
    'CLAUDE_CODE_MESSAGING_TOKEN',
    'CLAUDE_CODE_SESSION_ATTENDED',
    'CLAUDE_PID',
    'AI_AGENT',
  ],
  prepare: prepareWithServers,
  buildCommand: buildClaudeCommand,
  ownPaths: claudePaths,
  readEvents: readClaudeEvents,
  interface: claudeInterface,
}

function buildClaudeCommand(request: AgentRequest): Command {
  const { prompt, cwd, env } = request
  return {
    argv: [
      'claude',
      '-p',
      '--output-format',
      'stream-json',
      '--verbose',
      ...claudeArguments(request),
      ...(request.executor === undefined ? [] : withoutHooks),
      ...budget(request),
      ...answering(request),
      '--',
      prompt,
    ],
    cwd,
    env,
  }
}

/** Hooks of the user's, of the project's and of plugins are shell commands. */
const withoutHooks = ['--settings', JSON.stringify({ disableAllHooks: true })]

function answering({ answer }: AgentRequest): string[] {
  if (answer === undefined) return []
  const session = answer.sessionId === undefined ? [] : [`--resume=${answer.sessionId}`]
  return [`--json-schema=${JSON.stringify(answer.schema)}`, ...session]
}

function budget({ maxCostUsd }: AgentRequest): string[] {
  return maxCostUsd === undefined ? [] : [`--max-budget-usd=${maxCostUsd}`]
}

/** Where Claude Code keeps its settings, sessions and logins. */
function claudePaths({
  CLAUDE_CONFIG_DIR: folder,
  HOME: home = '',
}: Readonly<Record<string, string>>): readonly string[] {
  return folder === undefined ? [join(home, '.claude'), join(home, '.claude.json')] : [folder]
}
