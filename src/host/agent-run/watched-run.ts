import type { AgentEvent } from '../../agents/agent.ts'
import type { DoneCall } from '../../agents/done-call.ts'
import type { AgentUsage } from '../../records/agent-usage.ts'
import type { ScenarioVerdict } from '../../records/verdict/verdict-record.ts'
import type { RunningCommand } from '../../system/process/run-command.ts'
import { firstQuestionIn, printStart, printEnd } from './agent-terminal.ts'
import type { ScenarioProgress } from '../protocol/progress.ts'
import type { Direction, AgentProgress, StepTimeout } from '../protocol/protocol.ts'
import { repeatableCalls } from '../evidence/product-activity.ts'
import { AgentLimits } from './agent-limits.ts'
import type { AgentRun, AgentTask, ProgramRun, ProgramTask } from './agent-task.ts'
import { BudgetWatch } from './budget.ts'
import { EvidenceCollector } from './evidence-collector.ts'
import { Condition } from '../../system/concurrency.ts'

/** Time that an agent has after SIGTERM, in milliseconds: codex removes its mount points only then. */
const agentGraceMs = 5_000
const maxTouchIntervalMs = 1_000
/** Time that an agent has to take an answer while it is stopped, in milliseconds. One that shows its stream takes far less. */
const maxHearingMs = 5_000

/** An agent at work, with or without a terminal. Makes evidence of what it does, and ends it at its limits. */
export class WatchedRun implements AgentRun {
  readonly logFile: string
  readonly evidenceDir: string
  readonly ended: Promise<AgentProgress>
  readonly #task: AgentTask
  readonly #evidence: EvidenceCollector
  readonly #budget: BudgetWatch
  readonly #limits: AgentLimits
  readonly #program: ProgramRun
  /** What its browser did, where somebody wants to repeat that. */
  readonly #doneByBrowser: DoneCall[] = []
  #version: string | undefined
  /** Absent, like the next, where nothing could be started. */
  #pid: number | undefined
  #progress: ScenarioProgress | undefined
  /** Its session has begun: no first question keeps it any more. */
  #isOpened = false
  /** What kept it from starting. */
  #question: string | undefined
  #awaited = 0
  readonly #hearing = new Condition()
  #answersHeard = 0

  constructor(task: AgentTask, startProgram: (start: ProgramTask) => ProgramRun) {
    const { agent, logs, stepReports, executor, request, budgets, context } = task
    this.logFile = logs.log
    this.evidenceDir = logs.evidence
    this.#task = task
    this.#evidence = new EvidenceCollector(task)
    this.#budget = new BudgetWatch(budgets, context.spending)
    this.#limits = new AgentLimits({ name: agent.name, budget: this.#budget, interruption: context.signal })
    if (context.terminal) printStart(agent, request, context.terminal)
    this.#program = startProgram(this.#start())
    const { running } = this.#program
    const touch = (): void => running.touch()
    stepReports?.whenCalled(() => {
      touch()
      this.#noteHearing()
    })
    // It is stopped, and its program would give the call up.
    stepReports?.whenLate((port) => void running.letHear(port, this.#heard()))
    stepReports?.weighWith((result) => this.#evidence.weaknessOf(result))
    executor?.listen({
      onCall: touch,
      onEvent: (event) => this.#onHand(event),
      onAction: () => this.#evidence.checkSources(),
    })
    const isOurs = (): boolean => stepReports?.isChecking === true || executor?.isBusy === true
    this.ended = this.#end(keepAlive(running, isOurs, request.settings.silenceTimeoutMs))
    // The caller still gets the error when it waits. Until then it is not an unhandled one.
    this.ended.catch(() => undefined)
  }

  async awaitStep(limit?: StepTimeout): Promise<AgentProgress> {
    this.#awaited += 1
    const stopClock = limit && this.#limits.beginStep(limit)
    const accepted = this.#task.stepReports?.accepts(this.#awaited)
    // From here on the time is mdtest's.
    const reported = accepted?.finally(stopClock).then(() => this.#reported())
    const ended = this.ended.finally(stopClock)
    return reported === undefined ? ended : Promise.race([reported, ended])
  }

  direct(direction: Direction): void {
    void this.#goOn(direction)
  }

  async #goOn(direction: Direction): Promise<void> {
    const { stepReports, request, context } = this.#task
    const { closingMs } = context
    const { running } = this.#program
    try {
      await this.#evidence.resume()
    } finally {
      await this.#task.executor?.release()
      stepReports?.direct(direction)
      running.release()
      running.touch()
    }
    this.#program.directed()
    if (stepReports?.isOver !== true || request.hasTeardownProse || this.#limits.isClosing) return
    this.#limits.closeAfter(closingMs)
  }

  async finish(verdict: ScenarioVerdict): Promise<void> {
    const { usage } = await this.ended
    await this.#evidence.recordVerdict(verdict, { ...(usage && { usage }) })
    const { agent, request, context } = this.#task
    const ended = { ...verdict, durationMs: usage?.durationMs ?? 0, question: this.#question }
    if (context.terminal) printEnd(agent.name, request, { ...context.terminal, ...ended })
  }

  #start(): ProgramTask {
    const { agent, request, runId, context, logs, redactor, launcher } = this.#task
    const { hardTimeoutMs, silenceTimeoutMs } = request.settings
    const options = {
      launcher,
      hardTimeoutMs,
      silenceTimeoutMs,
      graceMs: agentGraceMs,
      mark: runId,
      runMark: context.runMark,
      signal: this.#limits.signal,
      rawLogFile: logs.raw,
      rawLogGround: logs.ground,
      redactor,
      onSpawn: (pid: number) => {
        this.#pid = pid
        context.processes.add({ pid, mark: runId })
        this.#progress = this.#announce()
      },
    }
    return {
      task: this.#task,
      options,
      limits: this.#limits,
      onEvent: (event) => this.#onEvent(event),
      onLine: (line) => {
        if (request.isToBeRecorded) this.#doneByBrowser.push(...(agent.readDone?.(line) ?? []))
      },
    }
  }

  /** From here on the agent counts for its run and is shown. */
  #announce(): ScenarioProgress | undefined {
    const { request, startedAtMs, redactor, context } = this.#task
    const { specFile, title, attempt } = request
    this.#budget.begin(JSON.stringify([specFile, title]))
    return context.progress?.begin({ specFile, title, attempt, startedAtMs }, redactor.redact)
  }

  #onEvent(event: AgentEvent): void {
    // There may be a million of them.
    if (event.type === 'unknown') return
    if (event.type === 'opened') {
      this.#isOpened = true
      // It is written into recordings.
      if (/^\d[\w.+-]{0,38}$/.test(event.version ?? '')) this.#version = event.version
    }
    if (event.type === 'tool-result') this.#noteHearing()
    this.#evidence.onEvent(event)
    this.#budget.onEvent(event)
    this.#progress?.onEvent(event)
    this.#progress?.spend(this.#budget.spent)
  }

  /** Fulfilled once the agent has seen an answer from here on: its stream shows one, or it calls again. */
  #heard(): Promise<unknown> {
    const before = this.#answersHeard
    return this.#hearing.waitFor(() => (this.#answersHeard > before ? true : undefined), maxHearingMs)
  }

  #noteHearing(): void {
    this.#answersHeard += 1
    this.#hearing.notify()
  }

  /** Something that mdtest did for the agent. */
  #onHand(event: AgentEvent): string | undefined {
    this.#progress?.onEvent(event)
    return this.#evidence.onHand(event)
  }

  async #end(alive: Disposable): Promise<AgentProgress> {
    const { agent, stepReports, executor, context, onEnd } = this.#task
    const program = this.#program
    try {
      const result = await program.running.ended
      await executor?.end()
      this.#question = this.#isOpened || program.isLogComplete ? undefined : firstQuestionIn(result.tail, agent)
      if (this.#question !== undefined) this.#onEvent({ type: 'error', cause: 'question', message: this.#question })
      const ending = this.#limits.endingOf(result.end)
      const evidence = await this.#evidence.atEnd(ending, result.tail)
      const usage: AgentUsage = { ...this.#budget.spent, durationMs: result.durationMs }
      const done = this.#done()
      return {
        kind: 'ended',
        evidence,
        images: this.#evidence.images,
        ...(this.#pid !== undefined && { usage }),
        ...done,
      }
    } finally {
      this.#progress?.end()
      this.#limits.close()
      alive[Symbol.dispose]()
      if (this.#pid !== undefined) context.processes.remove(this.#pid)
      stepReports?.direct({ kind: 'stop', reason: 'The agent has ended.' })
      onEnd()
    }
  }

  /** What a recording is made of, where one is to be. */
  #done(): Pick<AgentProgress, 'calls' | 'unrecordable' | 'version' | 'scratchDir'> {
    const { agent, request, logs, executor, unrecordable } = this.#task
    const calls = executor?.done ?? (agent.readDone && this.#doneByBrowser)
    if (unrecordable !== undefined) return { unrecordable }
    if (request.isToBeRecorded !== true || calls === undefined) return {}
    const paths = { ...request, logFile: logs.log }
    return {
      ...(this.#version !== undefined && { version: this.#version }),
      calls: repeatableCalls(calls, { steps: request.steps.map(({ id }) => id), paths }),
      ...(executor && { scratchDir: executor.scratchDir }),
    }
  }

  /** Stops the agent and all that it started until it is told to go on. */
  async #reported(): Promise<AgentProgress> {
    let stopped: readonly string[] = []
    const evidence = await this.#evidence.atReport(async () => {
      const { executor } = this.#task
      stopped = (await Promise.all([this.#program.running.hold(), executor?.hold() ?? []])).flat()
    })
    const { redact } = this.#task.redactor
    return { kind: 'reported', evidence, images: this.#evidence.images, stopped: stopped.map((line) => redact(line)) }
  }
}

/** While an agent waits for mdtest, its silence is ours. */
function keepAlive(running: RunningCommand, isOurs: () => boolean, silenceTimeoutMs: number): Disposable {
  const timer = setInterval(
    () => {
      if (isOurs()) running.touch()
    },
    Math.min(maxTouchIntervalMs, Math.ceil(silenceTimeoutMs / 4)),
  )
  timer.unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}
