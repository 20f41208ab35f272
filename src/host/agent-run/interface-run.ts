import { join } from 'node:path'
import type { AgentEvent, AgentInterface } from '../../agents/agent.ts'
import type { Command } from '../../system/process/command.ts'
import { createStillScreen, type StillScreen } from '../../system/terminal/still-screen.ts'
import { startInTerminal, type TerminalRunOptions } from '../../system/terminal/run-in-terminal.ts'
import { createRawLog } from '../../system/process/raw-log.ts'
import type { RunningCommand } from '../../system/process/run-command.ts'
import type { Ground } from '../../system/files/ground.ts'
import type { Redactor } from '../../system/redaction/redact.ts'
import { followFile, type FollowedFile } from '../evidence/follow-file.ts'

export interface InterfaceRunOptions extends TerminalRunOptions {
  readonly interface: AgentInterface
  readonly runId: string
  readonly startedAtMs: number
  /** Absolute path of an empty folder that is the session's own. */
  readonly notesFolder: string
  /** Absolute path of a file for the lines of the transcript. */
  readonly rawLogFile: string
  /** Below it no link is followed. */
  readonly rawLogGround: Ground
  /** For that file. */
  readonly redactor: Redactor
  /** Whether the agent is done, as far as anybody can know without its own word. Asked once in a second. */
  readonly isDone: () => Promise<boolean>
  /** It is done, and its screen has not changed for `stillScreenMs`. */
  readonly onStill: () => void
  /**
   * In milliseconds. While an agent works its interface moves.
   * @default 10_000
   */
  readonly stillScreenMs?: number | undefined
  /** Called with what the agent does, as it is read. */
  readonly onEvent: (event: AgentEvent) => void
}

/** An agent that has the terminal. */
export interface RunningInterface extends RunningCommand {
  /** Asks it to quit with its own keys. The caller ends it if it stays. */
  quit(): void
}

const pollIntervalMs = 100
const defaultStillScreenMs = 10_000
const stillIntervalMs = 1_000
/** Between two keys, in milliseconds: the first may open a question that the second answers. */
const keyIntervalMs = 300
/** When to send the keys, in milliseconds. An interface may lose keys while it ends its turn. */
const quitTimesMs = [0, 1_500, 3_000]

/** The file to which hooks of an agent add lines. */
export function notesFileIn(notesFolder: string): string {
  return join(notesFolder, 'notes.jsonl')
}

/** Starts an agent in its own interface. The files of its session tell what it does. */
export function startInterface(command: Command, options: InterfaceRunOptions): RunningInterface {
  const still = createStillScreen()
  const running = startInTerminal(command, { ...options, viewer: still })
  const rawLog = createRawLog(options.rawLogFile, { ground: options.rawLogGround })
  const transcript = followTranscript(
    options,
    (line) => {
      rawLog.add('stdout', options.redactor.redact(line))
      running.touch()
      for (const event of options.interface.readTranscript(line)) options.onEvent(event)
    },
    command.env,
  )
  const timer = setInterval(() => {
    transcript.poll()
    rawLog.flush()
  }, pollIntervalMs)
  const stillTimer = setInterval(() => void endWhenStill(still, options), stillIntervalMs)
  const timers: NodeJS.Timeout[] = []
  const ended = running.ended.finally(() => {
    clearInterval(timer)
    clearInterval(stillTimer)
    still.close()
    for (const each of timers) clearTimeout(each)
    transcript.close()
    rawLog.close()
  })
  // The caller still gets the error when it waits.
  ended.catch(() => undefined)
  return {
    touch: () => running.touch(),
    hold: () => running.hold(),
    letHear: (port, heard) => running.letHear(port, heard),
    release: () => running.release(),
    ended,
    quit() {
      if (timers.length > 0) return
      for (const startMs of quitTimesMs) {
        for (const [index, key] of options.interface.quitKeys.entries()) {
          timers.push(setTimeout(() => running.type(key), startMs + index * keyIntervalMs))
        }
      }
    },
  }
}

async function endWhenStill(
  still: StillScreen,
  { isDone, onStill, stillScreenMs = defaultStillScreenMs }: InterfaceRunOptions,
): Promise<void> {
  if (!(await isDone())) return
  still.watch()
  if (still.stillMs >= stillScreenMs) onStill()
}

type Session = Pick<InterfaceRunOptions, 'interface' | 'runId' | 'startedAtMs' | 'notesFolder'>

/** Follows the notes of the hooks and, as soon as it is there, the transcript. */
function followTranscript(
  { interface: own, runId, startedAtMs, notesFolder }: Session,
  onLine: (line: string) => void,
  env: Readonly<Record<string, string>>,
): FollowedFile {
  const notesFile = notesFileIn(notesFolder)
  const notes = followFile(notesFile, onLine)
  let transcript: FollowedFile | undefined
  const find = (): FollowedFile | undefined => {
    const file = own.findTranscript({ notesFile, runId, startedAtMs, env })
    return file === undefined ? undefined : followFile(file, onLine)
  }
  return {
    poll() {
      transcript ??= find()
      // First the transcript: a note of the end of a turn comes after all of that turn.
      transcript?.poll()
      notes.poll()
    },
    close() {
      transcript ??= find()
      transcript?.close()
      notes.close()
    },
  }
}
