import { join } from 'node:path'
import type { Command } from '../../system/process/command.ts'
import type { AgentRequest, NamedAgent } from '../agent.ts'
import { names } from '../agent-events.ts'
import { prepareWithServers } from '../browser/equip-with-browser.ts'
import { claudeArguments } from './claude-arguments.ts'
import { readClaudeEvents } from './claude-events.ts'
import { claudeInterface } from './claude-interface.ts'

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
  interface: claudeInterface,
}

function buildCommand(request: AgentRequest): Command {
  const { prompt, cwd, env, executor, maxCostUsd, answer } = request
  const options = [
    ...claudeArguments(request),
    // Hooks of the user's, of the project's and of plugins are shell commands.
    ...(executor === undefined ? [] : ['--settings', JSON.stringify({ disableAllHooks: true })]),
    ...(maxCostUsd === undefined ? [] : [`--max-budget-usd=${maxCostUsd}`]),
    ...(answer === undefined ? [] : [`--json-schema=${JSON.stringify(answer.schema)}`]),
    ...(answer?.sessionId === undefined ? [] : [`--resume=${answer.sessionId}`]),
  ]
  return { argv: ['claude', '-p', '--output-format', 'stream-json', '--verbose', ...options, '--', prompt], cwd, env }
}
