import type { Command } from '../../system/process/command.ts'
import type { AgentRequest, NamedAgent } from '../agent.ts'
import { prepareWithServers } from '../browser/equip-with-browser.ts'
import { codexArguments, codexEnvironment } from './codex-arguments.ts'
import { codexHome, codexInterface } from './codex-interface.ts'
import { confineCodex } from './confine-codex.ts'
import { readCodexDiagnostics, readCodexEvents } from './read-codex-events.ts'

/** Codex without a terminal: `codex exec`. */
export const codexAgent: NamedAgent<'codex', true> = {
  name: 'codex',
  title: 'Codex',
  ownFolders: ['.codex'],
  bin: 'codex',
  reports: 'environment',
  confinement: 'own',
  worksOnCode: true,
  install: 'npm install -g @openai/codex',
  ownVariables: [
    'CODEX_CI',
    'CODEX_MANAGED_BY_NPM',
    'CODEX_MANAGED_PACKAGE_ROOT',
    'CODEX_SESSION_ID',
    'CODEX_THREAD_ID',
    'CODEX_TOOL_CALL_ID',
    'CODEX_VERSION',
  ],
  prepare: prepareWithServers,
  buildCommand: buildCodexCommand,
  ownPaths: (env) => [codexHome(env)],
  confine: confineCodex,
  readEvents: readCodexEvents,
  readDiagnostics: readCodexDiagnostics,
  interface: codexInterface,
}

function buildCodexCommand(request: AgentRequest): Command {
  const { answer, prompt } = request
  const schema = answer === undefined ? [] : ['--output-schema', answer.schemaFile]
  const options = ['--json', '--skip-git-repo-check', ...codexArguments(request), ...schema]
  return {
    // Options of a whole run stand before the subcommand `resume`.
    argv:
      answer?.sessionId === undefined
        ? ['codex', 'exec', ...options, '--', prompt]
        : ['codex', 'exec', ...options, 'resume', '--', answer.sessionId, prompt],
    cwd: request.cwd,
    env: codexEnvironment(request),
  }
}
