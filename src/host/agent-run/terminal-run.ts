import { existsSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { readSessionUse } from '../../agents/agent-transcript.ts'
import type { CliAgent } from '../../agents/agent.ts'
import { readResultLog } from '../../records/result-log/read-result-log.ts'
import type { LogReading } from '../../records/result-log/result-log.ts'
import { readForeignFile } from '../../system/files/read-file.ts'
import type { RunningCommand } from '../../system/process/run-command.ts'
import { startInTerminal, type RunningInTerminal } from '../../system/terminal/run-in-terminal.ts'
import { plainLine } from '../../system/text/plain-text.ts'
import { formatElapsed } from '../../system/text/wording.ts'
import type { AskedStep, ScenarioRequest } from '../protocol/protocol.ts'
import type { AgentTask, ProgramTask, Screen } from './agent-task.ts'

const quitMs = 5_000
const pollIntervalMs = 100
/** If the agent's interface does not say that it is done, mdtest sends Ctrl+C this long after the log is complete. */
const finishMs = 10_000
const doneIntervalMs = 1_000
/** Ctrl+C. The first keystroke may open a question such as "Quit?". The second keystroke answers it. */
const quitKey = '\u0003'
const keyIntervalMs = 300
/** mdtest types Ctrl+C twice at each of these times, because an interface may lose keys while a turn ends. */
const quitTimesMs = [0, 1_500, 3_000]

/** An agent in its own interface. The interface stays open after the work, until mdtest types Ctrl+C. */
export class TerminalRun {
  readonly running: RunningCommand
  readonly #start: ProgramTask
  readonly #screen: Screen
  readonly #program: RunningInTerminal
  readonly #timers: NodeJS.Timeout[] = []
  #notesRead = 0
  #sessionId: string | undefined
  #isIdle = false
  isLogComplete = false
  #isQuitting = false

  constructor(start: ProgramTask, screen: Screen) {
    const { task, options } = start
    const { processes } = task.context
    this.#start = start
    this.#screen = screen
    this.#program = startInTerminal(task.command, {
      ...options,
      ...screen,
      adopt: (root) => processes.adopt(root),
      guardTerminal: (state) => processes.guardTerminal(state),
    })
    let doneSinceMs: number | undefined
    const quitWhenDone = async (): Promise<void> => {
      if (!(await this.#isSilentlyDone())) return
      doneSinceMs ??= performance.now()
      if (performance.now() - doneSinceMs >= finishMs) this.#quit()
    }
    this.#timers.push(setInterval(() => this.#readNotes(), pollIntervalMs))
    this.#timers.push(setInterval(() => void quitWhenDone(), doneIntervalMs))
    const ended = this.#program.ended.finally(() => {
      this.#timers.forEach(clearTimeout)
      this.#readNotes()
      this.#tellUse()
    })
    // Avoids an unhandled rejection; the caller gets the error from `ended`.
    ended.catch(() => undefined)
    this.running = { ...this.#program, ended }
  }

  #readNotes(): void {
    const notes = readForeignFile(this.#screen.notesFile, maxNotesBytes)?.toString('utf8') ?? ''
    // The text after the last line break is an unfinished line.
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
    this.quitIfDone()
  }

  #tellUse(): void {
    const { agent, command } = this.#start.task
    for (const event of readSessionUse(this.#sessionId, { agent, env: command.env })) this.#start.onEvent(event)
  }

  quitIfDone(): void {
    if (this.#isIdle && this.#isDone) this.#quit()
  }

  #quit(): void {
    if (this.#isQuitting) return
    this.#isQuitting = true
    for (const atMs of quitTimesMs.flatMap((startMs) => [startMs, startMs + keyIntervalMs]))
      this.#timers.push(setTimeout(() => this.#program.type(quitKey), atMs))
    this.#start.limits.closeAfter(quitMs)
  }

  get #isDone(): boolean {
    const { stepReports, logs } = this.#start.task
    // With reports, mdtest itself writes the log, so an existing log does not mean that the agent is done.
    return stepReports?.accepted.length ? stepReports.isOver : existsSync(logs.log)
  }

  /** Like `#isDone`, for an interface that writes no notes, for example because hooks are forbidden. */
  async #isSilentlyDone(): Promise<boolean> {
    const { stepReports, logs, request, runId } = this.#start.task
    if (stepReports?.accepted.length) return stepReports.isOver
    return (this.isLogComplete ||= isComplete(await readResultLog(logs.log), { runId, steps: request.steps }))
  }
}

const maxNotesBytes = 64 * 1024 * 1024

/** Whether the log of this run is complete: it lists all `steps`, lists none, or has the status `fail`. */
export function isComplete(
  reading: LogReading,
  { runId, steps }: { readonly runId: string; readonly steps: readonly Pick<AskedStep, 'id'>[] },
): boolean {
  if (!reading.ok || reading.log.run !== runId) return false
  const { status, steps: told } = reading.log
  return status === 'fail' || told === undefined || steps.every(({ id }) => told.some((step) => step.id === id))
}

export function printStart({ agent, request, context: { terminal: shown } }: AgentTask): void {
  if (shown === undefined) return
  const { terminal, specs } = shown
  const number = specs.indexOf(request.specFile) + 1
  const count = number === 0 ? '' : ` (spec ${number} of ${specs.length})`
  const how = agent.interface === undefined ? ', without an interface of its own' : ''
  terminal.say(`mdtest: ${agent.name} carries out ${nameOf(request)}${count}${how}`)
}

export function printEnd({ agent, request, context }: AgentTask, durationMs: number, how: string): void {
  const what = `${agent.name} is done with ${nameOf(request)}`
  context.terminal?.terminal.say(`mdtest: ${what} after ${formatElapsed(durationMs)}: ${how}`)
}

function nameOf({ specFile, root, title }: ScenarioRequest): string {
  return plainLine(`${relative(root, specFile)} > ${title}`)
}

export function firstQuestionIn(output: string, agent: Pick<CliAgent, 'interface'>): string | undefined {
  const text = stripVTControlCharacters(output).replaceAll(/\s/g, '')
  return agent.interface?.firstQuestions.find(({ pattern }) => pattern.test(text))?.message
}
