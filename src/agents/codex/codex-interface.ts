import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from '../../system/process/command.ts'
import { readForeignFile } from '../../system/files/read-file.ts'
import type { AgentInterface, InterfaceRequest, InterfaceSession, KnownSession } from '../agent.ts'
import { codexArguments, codexEnvironment } from './codex-arguments.ts'
import { readCodexTranscript } from './read-codex-transcript.ts'

/** Codex in a terminal: `codex`. */
export const codexInterface: AgentInterface = {
  buildCommand,
  findTranscript,
  findSession,
  readTranscript: readCodexTranscript,
  firstQuestions: [
    {
      pattern: /Doyoutrustthecontentsofthisdirectory|Notinsideatrusteddirectory/,
      message:
        'asks whether to trust this folder: answer it in the terminal (`mdtest run`), or start `codex` there once and say yes.',
    },
    {
      pattern: /SigninwithChatGPT/,
      message: 'asks you to log in: do so in the terminal (`mdtest run`), or run `codex login`.',
    },
    {
      pattern: /MeetGPT-|Trynewmodel/,
      message:
        'asks whether to change to a newer model: answer it in the terminal (`mdtest run`), or start `codex` once.',
    },
    {
      pattern: /Skipuntilnextversion/,
      message:
        'asks whether to update itself: answer it in the terminal (`mdtest run`), or set `check_for_update_on_startup = false` in its `config.toml`.',
    },
  ],
  // The first is enough, unless somebody has typed something.
  quitKeys: ['\u0003', '\u0003'],
}

function buildCommand(request: InterfaceRequest): Command {
  return {
    // Its daemon would stay behind, with a copy of the whole program.
    argv: ['codex', '-c', 'features.daemon_auto_start=false', ...codexArguments(request), '--', request.prompt],
    cwd: request.cwd,
    env: codexEnvironment(request),
  }
}

/** Midnight may come before it has started, in milliseconds. */
const startLimitMs = 60_000

/** Codex sorts its sessions by the local day on which they began. This one began after us and has our prompt. */
function findTranscript({ env, runId, startedAtMs }: InterfaceSession): string | undefined {
  const sessions = sessionsFolder(env)
  const days = new Set([startedAtMs, startedAtMs + startLimitMs].map((atMs) => dayFolder(new Date(atMs))))
  return [...days].flatMap((day) => sessionsIn(join(sessions, day), startedAtMs)).find((file) => holds(file, runId))
}

function sessionsFolder(env: InterfaceSession['env']): string {
  return join(codexHome(env), 'sessions')
}

/** Where Codex keeps its settings, sessions and logins. */
export function codexHome(env: InterfaceSession['env']): string {
  return env.CODEX_HOME ?? join(env.HOME ?? '', '.codex')
}

/** A session may go on days later in the file that it began with. */
function findSession({ sessionId, env }: KnownSession): string | undefined {
  const folder = sessionsFolder(env)
  try {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    const file = files.find((name) => name.endsWith(`-${sessionId}.jsonl`))
    return file && join(folder, file)
  } catch {
    return undefined // It keeps nothing.
  }
}

function dayFolder(day: Date): string {
  const parts = [day.getFullYear(), day.getMonth() + 1, day.getDate()]
  return join(...parts.map((part) => String(part).padStart(2, '0')))
}

function sessionsIn(folder: string, startedAtMs: number): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.startsWith('rollout-') && name.endsWith('.jsonl'))
      .map((name) => join(folder, name))
      .filter((file) => statSync(file).mtimeMs >= startedAtMs)
  } catch {
    return [] // The first session of the day makes the folder.
  }
}

const maxTranscriptBytes = 1024 * 1024 * 1024

function holds(file: string, text: string): boolean {
  // Somebody may have removed it.
  return readForeignFile(file, maxTranscriptBytes)?.includes(text) ?? false
}
