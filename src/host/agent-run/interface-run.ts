import { join } from 'node:path'
import type { AgentEvent, AgentInterface } from '../../agents/agent.ts'
import type { Command } from '../../system/process/command.ts'
import { createRecording, type Recorder, type Recording } from '../../system/terminal/recording.ts'
import { createStillScreen, type StillScreen } from '../../system/terminal/still-screen.ts'
import { startInTerminal, type TerminalRunOptions } from '../../system/terminal/run-in-terminal.ts'
import { createRawLog } from '../../system/process/raw-log.ts'
import type { RunningCommand } from '../../system/process/run-command.ts'
import type { Ground } from '../../system/files/ground.ts'
import type { Redactor } from '../../system/redaction/redact.ts'
import { followFile, type FollowedFile } from '../evidence/follow-file.ts'

export interface InterfaceRunOptions extends TerminalRunOptions {
  readonly interface: AgentInterface
  /** What the agent is at, for the recording. */
  readonly title: string
  readonly runId: string
  readonly startedAtMs: number
  /** Absolute path of an empty folder that is the session's own. */
  readonly notesFolder: string
  /** Absolute path of a file for the lines of the transcript. */
  readonly rawLogFile: string
  /** Below it no link is followed. */
  readonly rawLogGround: Ground
  /** Takes secrets out of that file. */
  readonly redactor: Redactor
  /** Whether nothing more is expected of it, for all that can be known without a word of its own. Asked once in a second. */
  readonly isDone: () => Promise<boolean>
  /** It is done, and its screen has not changed for `stillScreenMs`. */
  readonly onStill: () => void
  /**
   * In milliseconds. An interface that works turns a wheel.
   * @default 10_000
   */
  readonly stillScreenMs?: number | undefined
  /** Something was read of what the agent does. */
  readonly onEvent: (event: AgentEvent) => void
}

/** An agent that has the terminal. */
export interface RunningInterface extends RunningCommand {
  /** Asks it to quit the way it likes; after a while it is for the caller to end it. */
  quit(): void
  /** What it shows. Whoever started it keeps it or not, and closes it. */
  readonly recording: Recording
}

const pollIntervalMs = 100
const defaultStillScreenMs = 10_000
const stillIntervalMs = 1_000
/** Between two keys: the first may open a question, to which the second is the answer. */
const keyIntervalMs = 300
/** Keys that come while it is busy with the end of its turn can be lost. */
const quitTimesMs = [0, 1_500, 3_000]

/** The file to which hooks of an agent add lines. */
export function notesFileIn(notesFolder: string): string {
  return join(notesFolder, 'notes.jsonl')
}

/** Has an agent work in its own interface. What it does is read in the files that it keeps of its session. */
export function startInterface(command: Command, options: InterfaceRunOptions): RunningInterface {
  const recording = createRecording({ ...options, folder: options.notesFolder })
  const still = createStillScreen()
  const running = startInTerminal(command, { ...options, recorder: both(recording, still) })
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
  // Whoever awaits it still gets the error.
  ended.catch(() => undefined)
  return {
    touch: () => running.touch(),
    hold: () => running.hold(),
    release: () => running.release(),
    ended,
    recording,
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

function both(one: Recorder, other: Recorder): Recorder {
  return {
    begin(size, terminalName) {
      one.begin(size, terminalName)
      other.begin(size, terminalName)
    },
    write(chunk) {
      one.write(chunk)
      other.write(chunk)
    },
    resize(size) {
      one.resize(size)
      other.resize(size)
    },
  }
}

type Session = Pick<InterfaceRunOptions, 'interface' | 'runId' | 'startedAtMs' | 'notesFolder'>

/** Follows what the hooks were told and, as soon as it can be found, the transcript. */
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
      // The end of a turn comes after all that belongs to it.
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
