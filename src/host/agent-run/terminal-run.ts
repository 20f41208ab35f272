import { existsSync } from 'node:fs'
import type { AgentEvent, AgentInterface } from '../../agents/agent.ts'
import { readResultLog } from '../../records/result-log/read-result-log.ts'
import type { Screen, ProgramRun, ProgramTask } from './agent-task.ts'
import type { LogReading } from '../../records/result-log/result-log.ts'
import type { AskedStep } from '../protocol/protocol.ts'
import { join } from 'node:path'
import type { Command } from '../../system/process/command.ts'
import { createStillScreen, type StillScreen } from '../../system/terminal/still-screen.ts'
import { startInTerminal, type TerminalRunOptions } from '../../system/terminal/run-in-terminal.ts'
import { createRawLog } from '../../system/process/raw-log.ts'
import type { RunningCommand } from '../../system/process/run-command.ts'
import type { Ground } from '../../system/files/ground.ts'
import type { Redactor } from '../../system/redaction/redact.ts'
import { followFile, type FollowedFile } from '../evidence/follow-file.ts'

/** Time that an interface has to end after it was asked to quit, in milliseconds. */
const quitMs = 5_000

/** An agent in its own interface. That stays when the work is done, so it is asked to quit. */
export class TerminalRun implements ProgramRun {
  readonly running: RunningInterface
  readonly isStreamWhole = false
  readonly #start: ProgramTask
  /** The agent has ended its turn: it waits for somebody to type. */
  #isIdle = false
  readonly #openCalls = new Set<string>()
  #isLogComplete = false
  #isQuitting = false

  constructor(start: ProgramTask, screen: Screen) {
    const { task, options } = start
    const { command, runId, startedAtMs, context } = task
    this.#start = start
    this.running = startInterface(command, {
      ...options,
      ...screen,
      runId,
      startedAtMs,
      adopt: (root) => context.processes.adopt(root),
      guardTerminal: (state) => context.processes.guardTerminal(state),
      onEvent: (event) => this.#onEvent(event),
      isDone: () => this.#isSilentlyDone(),
      onStill: () => this.#quit(),
    })
  }

  get isLogComplete(): boolean {
    return this.#isLogComplete
  }

  directed(): void {
    this.#quitIfDone()
  }

  #onEvent(event: AgentEvent): void {
    this.#start.onEvent(event)
    if (event.type === 'tool-call') {
      this.#isIdle = false
      this.#openCalls.add(event.id)
    }
    if (event.type === 'tool-result') this.#openCalls.delete(event.id)
    if (event.type === 'end') {
      this.#isIdle = true
      this.#quitIfDone()
    }
  }

  /** One that is not done waits for whoever sits there. */
  #quitIfDone(): void {
    if (this.#isIdle && this.#isDone) this.#quit()
  }

  /** Not an error the second time. */
  #quit(): void {
    if (this.#isQuitting) return
    this.#isQuitting = true
    this.running.quit()
    this.#start.limits.closeAfter(quitMs)
  }

  get #isDone(): boolean {
    const { stepReports, logs } = this.#start.task
    // With the first report mdtest writes the log.
    return stepReports === undefined || stepReports.accepted.length === 0 ? existsSync(logs.log) : stepReports.isOver
  }

  /** For an interface that tells nothing, because its hooks are forbidden or it is of another version. */
  async #isSilentlyDone(): Promise<boolean> {
    const { stepReports, logs, request, runId } = this.#start.task
    // What it has begun to do, and has told us of, it may still ask for a permission.
    if (this.#openCalls.size > 0) return false
    if (stepReports !== undefined && stepReports.accepted.length > 0) return stepReports.isOver
    return (this.#isLogComplete ||= isComplete(await readResultLog(logs.log), { runId, steps: request.steps }))
  }
}

/**
 * Whether a result log says all that it has to: it is valid, of this run, and has failed, or speaks of every step that
 * was asked for, or of all at once.
 */
export function isComplete(
  reading: LogReading,
  { runId, steps }: { readonly runId: string; readonly steps: readonly Pick<AskedStep, 'id'>[] },
): boolean {
  if (!reading.ok || reading.log.run !== runId) return false
  const { status, steps: told } = reading.log
  return status === 'fail' || told === undefined || steps.every(({ id }) => told.some((step) => step.id === id))
}

export interface InterfaceRunOptions extends TerminalRunOptions {
  readonly interface: AgentInterface
  readonly runId: string
  readonly startedAtMs: number
  readonly notesFolder: string
  /** Absolute path of a file for the lines of the transcript. */
  readonly rawLogFile: string
  /** Below it no link is followed. */
  readonly rawLogGround: Ground
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
function startInterface(command: Command, options: InterfaceRunOptions): RunningInterface {
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
