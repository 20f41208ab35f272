import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from '../../system/process/command.ts'
import { readForeignFile } from '../../system/files/read-file.ts'
import type { AgentInterface, InterfaceRequest, InterfaceSession, KnownSession } from '../agent.ts'
import { claudeArguments } from './claude-arguments.ts'
import { readClaudeTranscript, transcriptPathIn } from './read-claude-transcript.ts'
import { singleQuoted } from '../../system/text/quoting.ts'

/** Claude Code in a terminal: `claude`. */
export const claudeInterface: AgentInterface = {
  buildCommand,
  findTranscript,
  findSession,
  readTranscript: readClaudeTranscript,
  firstQuestions: [
    {
      pattern: /trustthisfolder|folderisn'ttrusted/,
      message:
        'asks whether to trust this folder: answer it in the terminal (`mdtest run`), or start `claude` there once and say yes.',
    },
    {
      pattern: /usethisAPIkey/,
      message:
        'asks whether to use the API key of its environment: answer it in the terminal (`mdtest run`), or start `claude` once and say yes.',
    },
    {
      pattern: /BypassPermissionsmode/,
      message: 'asks whether to work without any permissions: answer it in the terminal (`mdtest run`).',
    },
    {
      pattern: /Selectloginmethod|Choosethetextstyle|UnabletoconnecttoAnthropicservices/,
      message: 'has to be set up first (theme, login): start `claude` once and answer its questions.',
    },
  ],
  quitKeys: ['\u0003', '\u0003'],
}

function buildCommand(request: InterfaceRequest): Command {
  const { prompt, cwd, env, notesFile } = request
  return {
    argv: [
      'claude',
      ...claudeArguments(request),
      ...(request.executor === undefined ? [] : ownHooksAlone),
      '--settings',
      JSON.stringify(hooks(notesFile)),
      '--',
      prompt,
    ],
    cwd,
    env,
  }
}

/** Hooks are shell commands. All could be turned off, and ours with them: so settings of the user's are not read. */
const ownHooksAlone = ['--setting-sources=']

/** Each hook gets one line of JSON. Without them nobody would know where the transcript is and when a turn is over. */
function hooks(notesFile: string): object {
  const hook = { type: 'command', command: `{ cat; echo; } >> ${singleQuoted(notesFile)}` }
  return { hooks: { SessionStart: [{ hooks: [hook] }], Stop: [{ hooks: [hook] }] } }
}

const maxNotesBytes = 64 * 1024 * 1024

function findTranscript({ notesFile }: InterfaceSession): string | undefined {
  // None where no hook has run yet.
  const lines = readForeignFile(notesFile, maxNotesBytes)?.toString('utf8').split('\n') ?? []
  return lines.map(transcriptPathIn).find((path) => path !== undefined)
}

/** Claude Code sorts its sessions by the folder in which they began. */
function findSession({ sessionId, env }: KnownSession): string | undefined {
  const projects = join(env.CLAUDE_CONFIG_DIR ?? join(env.HOME ?? '', '.claude'), 'projects')
  try {
    const files = readdirSync(projects).map((project) => join(projects, project, `${sessionId}.jsonl`))
    return files.find((file) => existsSync(file))
  } catch {
    return undefined // It keeps nothing.
  }
}
