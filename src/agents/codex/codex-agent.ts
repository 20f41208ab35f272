import type { Command } from '../../system/process/command.ts'
import type { AgentRequest, CliAgent } from '../agent.ts'
import { codexArguments, codexEnvironment } from './codex-arguments.ts'
import { codexInterface } from './codex-interface.ts'
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
