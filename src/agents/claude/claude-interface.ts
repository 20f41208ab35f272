import { z } from 'zod'
import type { Command } from '../../system/process/command.ts'
import { singleQuoted } from '../../system/text/quoting.ts'
import { withoutUndefined } from '../../system/without-undefined.ts'
import type { AgentEvent, AgentInterface, InterfaceRequest } from '../agent.ts'
import { asks, readEventLine, text } from '../agent-events.ts'
import { claudeArguments } from './claude-arguments.ts'

/** Claude Code in a terminal: `claude`. */
export const claudeInterface: AgentInterface = {
  buildCommand,
  readNote: (line) => readEventLine(line, noteSchema, noteEvents),
  firstQuestions: [
    asks(/trustthisfolder|folderisn'ttrusted/, 'whether to trust this folder', 'start `claude` there once and say yes'),
    asks(/usethisAPIkey/, 'whether to use the API key of its environment', 'start `claude` once and say yes'),
    asks(/BypassPermissionsmode/, 'whether to work without any permissions'),
    {
      pattern: /Selectloginmethod|Choosethetextstyle|UnabletoconnecttoAnthropicservices/,
      message: 'has to be set up first (theme, login): start `claude` once and answer its questions.',
    },
  ],
}

function buildCommand(request: InterfaceRequest): Command {
  const { prompt, cwd, env, notesFile, executor } = request
  const file = singleQuoted(notesFile)
  const settings = {
    hooks: {
      ...hook('SessionStart', `{ cat; echo; } >> ${file}`),
      ...hook('Stop', `{ cat; echo; } >> ${file}`),
      // A sign of life.
      ...hook('PostToolUse', `echo >> ${file}`),
    },
  }
  const options = [
    ...claudeArguments(request),
    // Hooks are shell commands. All could be turned off, and ours with them: so settings of the user's are not read.
    ...(executor === undefined ? [] : ['--setting-sources=']),
    ...['--settings', JSON.stringify(settings)],
  ]
  return { argv: ['claude', ...options, '--', prompt], cwd, env }
}

/** Each hook gets one line of JSON on its standard input. */
function hook(event: string, command: string): object {
  return { [event]: [{ hooks: [{ type: 'command', command }] }] }
}

const noteSchema = z.object({ hook_event_name: z.enum(['SessionStart', 'Stop']), session_id: text, model: text })

function noteEvents({ hook_event_name: name, session_id: sessionId, model }: z.infer<typeof noteSchema>): AgentEvent[] {
  if (name === 'Stop') return [{ type: 'end', isError: false }]
  return [{ type: 'opened', ...withoutUndefined({ sessionId, model }) }]
}
