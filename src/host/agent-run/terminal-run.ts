import { existsSync } from 'node:fs'
import type { AgentEvent } from '../../agents/agent.ts'
import { readResultLog } from '../../records/result-log/read-result-log.ts'
import type { Screen, ProgramRun, ProgramTask } from './agent-task.ts'
import { startInterface, type RunningInterface } from './interface-run.ts'
import type { LogReading } from '../../records/result-log/result-log.ts'
import type { AskedStep } from '../protocol/protocol.ts'

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
