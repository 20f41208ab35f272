import { join } from 'node:path'
import type { Command } from '../../system/process/command.ts'
import type { AgentRequest, NamedAgent } from '../agent.ts'
import { names } from '../agent-events.ts'
import { prepareWithServers } from '../browser/equip-with-browser.ts'
import { codexArguments, codexEnvironment, confineCodex } from './codex-arguments.ts'
import { readCodexDiagnostics, readCodexEvents } from './codex-events.ts'
import { codexInterface } from './codex-interface.ts'

/** Codex without a terminal: `codex exec`. */
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
  interface: codexInterface,
}

/** Where Codex keeps its settings, sessions and logins. */
function codexHome({ CODEX_HOME, HOME = '' }: Command['env']): string {
  return CODEX_HOME ?? join(HOME, '.codex')
}

function buildCommand(request: AgentRequest): Command {
  const { answer, prompt, cwd } = request
  const schema = answer === undefined ? [] : ['--output-schema', answer.schemaFile]
  // Options of a whole run stand before the subcommand `resume`.
  const options = ['--json', '--skip-git-repo-check', ...codexArguments(request), ...schema]
  const session = answer?.sessionId
  const words = session === undefined ? ['--', prompt] : ['resume', '--', session, prompt]
  return { argv: ['codex', 'exec', ...options, ...words], cwd, env: codexEnvironment(request) }
}
