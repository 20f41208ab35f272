import { z } from 'zod'
import { singleQuoted } from '../../system/text/quoting.ts'
import { withoutUndefined } from '../../system/without-undefined.ts'
import type { AgentInterface } from '../agent.ts'
import { asks, readEventLine, text } from '../agent-events.ts'
import { codexArguments, codexEnvironment } from './codex-arguments.ts'

/** Codex in a terminal: `codex`. */
export const codexInterface: AgentInterface = {
  buildCommand(request) {
    // Codex adds an argument of JSON when a turn is over.
    const note = ['sh', '-c', `printf '%s\\n' "$1" >> ${singleQuoted(request.notesFile)}`, 'sh']
    const settings = [
      // Its daemon would stay behind, with a copy of the whole program.
      ...['-c', 'features.daemon_auto_start=false'],
      ...codexArguments(request),
      ...['-c', `notify=${JSON.stringify(note)}`],
    ]
    return { argv: ['codex', ...settings, '--', request.prompt], cwd: request.cwd, env: codexEnvironment(request) }
  },
  readNote: (line) =>
    readEventLine(line, noteSchema, ({ 'thread-id': sessionId }) => [
      { type: 'opened', ...withoutUndefined({ sessionId }) },
      { type: 'end', isError: false },
    ]),
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
}

const noteSchema = z.object({ type: z.literal('agent-turn-complete'), 'thread-id': text })
