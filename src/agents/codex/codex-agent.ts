import { join } from 'node:path'
import { z } from 'zod'
import type { Command } from '../../system/process/command.ts'
import { singleQuoted } from '../../system/text/quoting.ts'
import { withoutUndefined } from '../../system/without-undefined.ts'
import type { AgentEvent, AgentRequest, InterfaceRequest, NamedAgent } from '../agent.ts'
import { asks, names, readEventLine, text } from '../agent-events.ts'
import { prepareWithServers } from '../browser/equip-with-browser.ts'
import { codexArguments, codexEnvironment, confineCodex } from './codex-arguments.ts'
import { readCodexDiagnostics, readCodexEvents } from './codex-events.ts'

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
  interface: {
    buildCommand: buildInterfaceCommand,
    readNote: (line) => readEventLine(line, noteSchema, noteEvents),
    firstQuestions: [
      asks(
        /Doyoutrustthecontentsofthisdirectory|Notinsideatrusteddirectory/,
        'whether to trust this folder',
        'start `codex` there once and say yes',
      ),
      {
        pattern: /SigninwithChatGPT/,
        message: 'asks you to log in: do so in the terminal (`mdtest run`), or run `codex login`.',
      },
      asks(/MeetGPT-|Trynewmodel/, 'whether to change to a newer model', 'start `codex` once'),
      asks(
        /Skipuntilnextversion/,
        'whether to update itself',
        'set `check_for_update_on_startup = false` in its `config.toml`',
      ),
    ],
  },
}

function codexHome({ CODEX_HOME, HOME = '' }: Command['env']): string {
  return CODEX_HOME ?? join(HOME, '.codex')
}

function buildCommand(request: AgentRequest): Command {
  const { answer, prompt, cwd } = request
  const schema = answer === undefined ? [] : ['--output-schema', answer.schemaFile]
  // Options of `codex exec` must stand before the subcommand `resume`.
  const options = ['--json', '--skip-git-repo-check', ...codexArguments(request), ...schema]
  const session = answer?.sessionId
  const words = session === undefined ? ['--', prompt] : ['resume', '--', session, prompt]
  return { argv: ['codex', 'exec', ...options, ...words], cwd, env: codexEnvironment(request) }
}

function buildInterfaceCommand(request: InterfaceRequest): Command {
  const { prompt, cwd, notesFile } = request
  // Codex runs this command when a turn is over, with JSON as an additional argument.
  const note = ['sh', '-c', `printf '%s\\n' "$1" >> ${singleQuoted(notesFile)}`, 'sh']
  const options = [
    // Without this setting, a daemon with a copy of the whole program stays behind.
    ...['-c', 'features.daemon_auto_start=false'],
    ...codexArguments(request),
    ...['-c', `notify=${JSON.stringify(note)}`],
  ]
  return { argv: ['codex', ...options, '--', prompt], cwd, env: codexEnvironment(request) }
}

const noteSchema = z.object({ type: z.literal('agent-turn-complete'), 'thread-id': text })

function noteEvents({ 'thread-id': sessionId }: z.infer<typeof noteSchema>): AgentEvent[] {
  return [
    { type: 'opened', ...withoutUndefined({ sessionId }) },
    { type: 'end', isError: false },
  ]
}
