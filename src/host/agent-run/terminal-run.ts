import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readSessionUse } from '../../agents/agent-transcript.ts'
import { readResultLog } from '../../records/result-log/read-result-log.ts'
import type { LogReading } from '../../records/result-log/result-log.ts'
import { readForeignFile } from '../../system/files/read-file.ts'
import type { RunningCommand } from '../../system/process/run-command.ts'
import { startInTerminal, type RunningInTerminal } from '../../system/terminal/run-in-terminal.ts'
import { createStillScreen } from '../../system/terminal/still-screen.ts'
import type { AskedStep } from '../protocol/protocol.ts'
import type { ProgramRun, ProgramTask, Screen } from './agent-task.ts'

/** Time that an interface has to end after it was asked to quit, in milliseconds. */
const quitMs = 5_000
const pollIntervalMs = 100
/** While an agent works its interface moves, in milliseconds. */
const stillScreenMs = 10_000
const stillIntervalMs = 1_000
/** Makes an interface quit, typed twice: the first may open a question that the second answers. */
const quitKey = '\u0003'
/** Between the two, in milliseconds. */
const keyIntervalMs = 300
/** When to type them, in milliseconds. An interface may lose keys while it ends its turn. */
const quitTimesMs = [0, 1_500, 3_000]

/** An agent in its own interface. That stays when the work is done, so it is asked to quit. */
export class TerminalRun implements ProgramRun {
  readonly running: RunningCommand
  readonly #start: ProgramTask
  readonly #screen: Screen
  readonly #program: RunningInTerminal
  readonly #timers: NodeJS.Timeout[] = []
  #notesRead = 0
  #sessionId: string | undefined
  /** The agent has ended its turn: it waits for somebody to type. */
  #isIdle = false
  #isLogComplete = false
  #isQuitting = false

  constructor(start: ProgramTask, screen: Screen) {
    const { task, options } = start
    const { processes } = task.context
    const still = createStillScreen()
    this.#start = start
    this.#screen = screen
    this.#program = startInTerminal(task.command, {
      ...options,
      ...screen,
      adopt: (root) => processes.adopt(root),
      guardTerminal: (state) => processes.guardTerminal(state),
      viewer: still,
    })
    const quitWhenStill = async (): Promise<void> => {
      if (!(await this.#isSilentlyDone())) return
      still.watch()
      if (still.stillMs >= stillScreenMs) this.#quit()
    }
    const intervals = [
      setInterval(() => this.#readNotes(), pollIntervalMs),
      setInterval(() => void quitWhenStill(), stillIntervalMs),
    ]
    const ended = this.#program.ended.finally(() => {
      intervals.forEach(clearInterval)
      this.#timers.forEach(clearTimeout)
      still.close()
      this.#readNotes()
      this.#tellUse()
    })
    // The caller still gets the error when it waits.
    ended.catch(() => undefined)
    this.running = { ...this.#program, ended }
  }

  get isLogComplete(): boolean {
    return this.#isLogComplete
  }

  directed(): void {
    this.#quitIfDone()
  }

  #readNotes(): void {
    const notes = readForeignFile(notesFileIn(this.#screen.notesFolder), maxNotesBytes)?.toString('utf8') ?? ''
    // Behind the last line break a line is not yet written to its end.
    const lines = notes.split('\n').slice(this.#notesRead, -1)
    this.#notesRead += lines.length
    for (const line of lines) this.#onNote(line)
  }

  #onNote(line: string): void {
    const events = this.#screen.interface.readNote(line)
    this.#program.touch()
    for (const event of events) {
      if (event.type === 'opened') this.#sessionId = event.sessionId ?? this.#sessionId
      this.#start.onEvent(event)
    }
    this.#isIdle = events.some(({ type }) => type === 'end')
    if (!this.#isIdle) return
    this.#tellUse()
    this.#quitIfDone()
  }

  /** Tokens and costs are told in the file that the program keeps of its session. */
  #tellUse(): void {
    const { agent, command } = this.#start.task
    for (const event of readSessionUse(this.#sessionId, { agent, env: command.env })) this.#start.onEvent(event)
  }

  /** One that is not done waits for whoever sits there. */
  #quitIfDone(): void {
    if (this.#isIdle && this.#isDone) this.#quit()
  }

  /** The agent is ended if it stays. */
  #quit(): void {
    if (this.#isQuitting) return
    this.#isQuitting = true
    for (const atMs of quitTimesMs.flatMap((startMs) => [startMs, startMs + keyIntervalMs])) {
      this.#timers.push(setTimeout(() => this.#program.type(quitKey), atMs))
    }
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
    if (stepReports !== undefined && stepReports.accepted.length > 0) return stepReports.isOver
    return (this.#isLogComplete ||= isComplete(await readResultLog(logs.log), { runId, steps: request.steps }))
  }
}

const maxNotesBytes = 64 * 1024 * 1024

/** The file to which hooks of an agent add lines. */
export function notesFileIn(notesFolder: string): string {
  return join(notesFolder, 'notes.jsonl')
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
