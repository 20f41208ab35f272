import { existsSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { readSessionUse } from '../../agents/agent-transcript.ts'
import type { CliAgent } from '../../agents/agent.ts'
import { readResultLog } from '../../records/result-log/read-result-log.ts'
import type { LogReading } from '../../records/result-log/result-log.ts'
import type { ScenarioVerdict } from '../../records/verdict/verdict-record.ts'
import { readForeignFile } from '../../system/files/read-file.ts'
import type { RunningCommand } from '../../system/process/run-command.ts'
import { startInTerminal, type RunningInTerminal } from '../../system/terminal/run-in-terminal.ts'
import { createStillScreen } from '../../system/terminal/still-screen.ts'
import { plainLine } from '../../system/text/plain-text.ts'
import { formatElapsed } from '../../system/text/wording.ts'
import type { AskedStep, ScenarioRequest } from '../protocol/protocol.ts'
import type { AgentTerminal, ProgramTask, Screen } from './agent-task.ts'

const quitMs = 5_000
const pollIntervalMs = 100
/** While an agent works its interface moves, in milliseconds. */
const stillScreenMs = 10_000
const stillIntervalMs = 1_000
/** Makes an interface quit, typed twice: the first may open a question that the second answers. */
const quitKey = '\u0003'
const keyIntervalMs = 300
/** When to type them, in milliseconds. An interface may lose keys while it ends its turn. */
const quitTimesMs = [0, 1_500, 3_000]

/** An agent in its own interface. That stays when the work is done, so it is asked to quit. */
export class TerminalRun {
  readonly running: RunningCommand
  readonly #start: ProgramTask
  readonly #screen: Screen
  readonly #program: RunningInTerminal
  readonly #timers: NodeJS.Timeout[] = []
  #notesRead = 0
  #sessionId: string | undefined
  /** The agent has ended its turn: it waits for somebody to type. */
  #isIdle = false
  isLogComplete = false
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

  #readNotes(): void {
    const notes = readForeignFile(this.#screen.notesFile, maxNotesBytes)?.toString('utf8') ?? ''
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
    this.quitIfDone()
  }

  /** Tokens and costs are told in the file that the program keeps of its session. */
  #tellUse(): void {
    const { agent, command } = this.#start.task
    for (const event of readSessionUse(this.#sessionId, { agent, env: command.env })) this.#start.onEvent(event)
  }

  /** One that is not done waits for whoever sits there. */
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
    // With the first report mdtest writes the log.
    return stepReports?.accepted.length ? stepReports.isOver : existsSync(logs.log)
  }

  /** For an interface that tells nothing, because its hooks are forbidden or it is of another version. */
  async #isSilentlyDone(): Promise<boolean> {
    const { stepReports, logs, request, runId } = this.#start.task
    if (stepReports?.accepted.length) return stepReports.isOver
    return (this.isLogComplete ||= isComplete(await readResultLog(logs.log), { runId, steps: request.steps }))
  }
}

const maxNotesBytes = 64 * 1024 * 1024

/** Whether a result log of this run has failed, or speaks of every step that was asked for, or of all at once. */
export function isComplete(
  reading: LogReading,
  { runId, steps }: { readonly runId: string; readonly steps: readonly Pick<AskedStep, 'id'>[] },
): boolean {
  if (!reading.ok || reading.log.run !== runId) return false
  const { status, steps: told } = reading.log
  return status === 'fail' || told === undefined || steps.every(({ id }) => told.some((step) => step.id === id))
}

type Place = Pick<ScenarioRequest, 'specFile' | 'root' | 'title'>

export function printStart(
  { name, interface: shown }: Pick<CliAgent, 'name' | 'interface'>,
  place: Place,
  { terminal, specs }: AgentTerminal,
): void {
  const number = specs.indexOf(place.specFile) + 1
  const count = number === 0 ? '' : ` (spec ${number} of ${specs.length})`
  const how = shown === undefined ? ', without an interface of its own' : ''
  terminal.say(`mdtest: ${name} carries out ${nameOf(place)}${count}${how}`)
}

interface Ended extends Pick<AgentTerminal, 'terminal'>, Pick<ScenarioVerdict, 'outcome'> {
  readonly durationMs: number
  readonly question: string | undefined
}

export function printEnd(agent: string, place: Place, { terminal, outcome, durationMs, question }: Ended): void {
  const why = question === undefined ? '' : `. It ${question}`
  terminal.say(`mdtest: ${agent} is done with ${nameOf(place)} after ${formatElapsed(durationMs)}: ${outcome}${why}`)
}

function nameOf({ specFile, root, title }: Place): string {
  return plainLine(`${relative(root, specFile)} > ${title}`)
}

/** The question that kept an agent from starting: the rest of a sentence that begins with its name. */
export function firstQuestionIn(output: string, agent: Pick<CliAgent, 'interface'>): string | undefined {
  const text = stripVTControlCharacters(output).replaceAll(/\s/g, '')
  return agent.interface?.firstQuestions.find(({ pattern }) => pattern.test(text))?.message
}
