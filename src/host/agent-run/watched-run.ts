import { setTimeout } from 'node:timers/promises'
import type { AgentEvent, DoneCall } from '../../agents/agent.ts'
import type { AgentUsage } from '../../records/tokens-and-cost.ts'
import type { ScenarioVerdict } from '../../records/verdict/verdict-record.ts'
import { startCommand, type RunningCommand } from '../../system/process/run-command.ts'
import { redactTexts } from '../../system/redaction/redact-texts.ts'
import { withResolvers } from '../../system/slots-and-timers.ts'
import { firstQuestionIn, printEnd, printStart, TerminalRun } from './terminal-run.ts'
import type { ScenarioProgress } from '../protocol/agents-at-work.ts'
import type { Direction, AgentProgress, StepTimeout } from '../protocol/protocol.ts'
import { repeatableCalls } from '../evidence/product-activity.ts'
import { AgentLimits } from './limit-timers.ts'
import type { AgentRun, AgentTask, ProgramTask } from './agent-task.ts'
import { BudgetWatch } from './budget.ts'
import { EvidenceCollector } from './evidence-collector.ts'

/** Time between SIGTERM and SIGKILL. Codex needs this time to remove its mount points. */
const agentGraceMs = 5_000
const maxTouchIntervalMs = 1_000
/** Longest time that a paused agent runs again to read an answer. */
const maxHearingMs = 5_000
/** How long an agent may take to exit after its turn: `doneMs` if it reported all steps, otherwise `undoneMs`. */
const [doneMs, undoneMs] = [1_500, 5_000]

export class WatchedRun implements AgentRun {
  readonly logFile: string
  readonly evidenceDir: string
  readonly ended: Promise<AgentProgress>
  readonly #task: AgentTask
  readonly #evidence: EvidenceCollector
  readonly #budget: BudgetWatch
  readonly #limits: AgentLimits
  readonly #terminal: TerminalRun | undefined
  readonly #running: RunningCommand
  readonly #doneByBrowser: DoneCall[] = []
  #version: string | undefined
  #pid: number | undefined
  #progress: ScenarioProgress | undefined
  /** Whether the session has begun. After that, the program asks no start-up question such as "Trust this folder?". */
  #isOpened = false
  #question: string | undefined
  #awaited = 0
  /** Resolved when the agent has received an answer: its output shows the answer, or the agent makes another call. */
  #heard = withResolvers<void>()

  constructor(task: AgentTask) {
    const { agent, logs, stepReports, executor, request, budgets, context, screen } = task
    this.logFile = logs.log
    this.evidenceDir = logs.evidence
    this.#task = task
    this.#evidence = new EvidenceCollector(task)
    this.#budget = new BudgetWatch(budgets, context.spending)
    this.#limits = new AgentLimits(agent.name, this.#budget, context.signal)
    printStart(task)
    const program = this.#programTask()
    this.#terminal = screen && new TerminalRun(program, screen)
    const running = this.#terminal?.running ?? this.#startHeadless(program)
    this.#running = running
    const touch = (): void => running.touch()
    stepReports?.listen({
      onCall: () => {
        touch()
        this.#noteHearing()
      },
      // Let the paused agent run until it has received the answer. Otherwise it would give up on its call.
      onLate: (port) => {
        const givenUp = setTimeout(maxHearingMs, undefined, { ref: false })
        void running.letHear(port, Promise.race([this.#heard.promise, givenUp]))
      },
      weigh: (result) => this.#evidence.weaknessOf(result),
    })
    executor?.listen({
      onCall: touch,
      onEvent: (event) => {
        this.#progress?.onEvent(event)
        return this.#evidence.onHand(event)
      },
      onAction: () => this.#evidence.checkSources(),
    })
    // The time in which mdtest works must not count as silence of the agent.
    const keepAlive = setInterval(
      () => {
        if (stepReports?.isChecking || executor?.isBusy) touch()
      },
      Math.min(maxTouchIntervalMs, Math.ceil(request.settings.silenceTimeoutMs / 4)),
    ).unref()
    this.ended = this.#end().finally(() => clearInterval(keepAlive))
    // Avoids an unhandled rejection; the caller gets the error when it awaits `ended`.
    this.ended.catch(() => undefined)
  }

  async awaitStep(limit?: StepTimeout): Promise<AgentProgress> {
    this.#awaited += 1
    const stopClock = limit && this.#limits.beginStep(limit)
    const accepted = this.#task.stepReports?.accepts(this.#awaited)
    // Stop the clock at the report: from then on, the agent waits for mdtest.
    const reported = accepted?.finally(stopClock).then(() => this.#reported())
    const ended = this.ended.finally(stopClock)
    return reported === undefined ? ended : Promise.race([reported, ended])
  }

  direct(direction: Direction): void {
    void this.#goOn(direction)
  }

  async #goOn(direction: Direction): Promise<void> {
    const { stepReports, request, context } = this.#task
    try {
      await this.#evidence.resume()
    } finally {
      await this.#task.executor?.release()
      stepReports?.direct(direction)
      this.#running.release()
      this.#running.touch()
    }
    this.#terminal?.quitIfDone()
    if (stepReports?.isOver !== true || request.hasTeardownProse || this.#limits.isClosing) return
    this.#limits.closeAfter(context.closingMs)
  }

  async finish(verdict: ScenarioVerdict): Promise<void> {
    const { usage } = await this.ended
    await this.#evidence.recordVerdict(verdict, usage)
    const why = this.#question === undefined ? '' : `. It ${this.#question}`
    printEnd(this.#task, usage?.durationMs ?? 0, verdict.outcome + why)
  }

  #programTask(): ProgramTask {
    const { request, runId, startedAtMs, context, logs, redactor, launcher } = this.#task
    const { specFile, title, attempt, settings } = request
    const { hardTimeoutMs, silenceTimeoutMs } = settings
    return {
      task: this.#task,
      options: {
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
        onSpawn: (pid) => {
          this.#pid = pid
          context.processes.add({ pid, mark: runId })
          this.#budget.begin(JSON.stringify([specFile, title]))
          this.#progress = context.progress?.begin({ specFile, title, attempt, startedAtMs }, redactor.redact)
        },
      },
      limits: this.#limits,
      onEvent: (event) => this.#onEvent(event),
    }
  }

  #startHeadless({ options, onEvent }: ProgramTask): RunningCommand {
    const { agent, command, request } = this.#task
    return startCommand(command, {
      ...options,
      ...(agent.drivesBrowser === true && { jobsMs: 0 }),
      onLine: (stream, line) => {
        const isEvent = stream === 'stdout'
        if (isEvent && request.isToBeRecorded) this.#doneByBrowser.push(...(agent.readDone?.(line) ?? []))
        const events = isEvent ? agent.readEvents(line) : agent.readDiagnostics?.(line)
        for (const event of events ?? []) onEvent(event)
      },
    })
  }

  #onEvent(event: AgentEvent): void {
    // Return early, because there may be a million such events.
    if (event.type === 'unknown') return
    if (event.type === 'opened') {
      this.#isOpened = true
      // Check the version, because it is written into recordings.
      if (/^\d[\w.+-]{0,38}$/.test(event.version ?? '')) this.#version = event.version
    }
    if (event.type === 'tool-result') this.#noteHearing()
    const isOver = this.#task.stepReports?.isOver === true
    if (event.type === 'end' && this.#terminal === undefined) this.#limits.closeAfter(isOver ? doneMs : undoneMs)
    // A tool call after the turn's end means that background work has started another turn.
    if (event.type === 'tool-call' && !isOver) this.#limits.close()
    this.#evidence.onEvent(event)
    this.#budget.onEvent(event)
    this.#progress?.onEvent(event)
    this.#progress?.spend(this.#budget.spent)
  }

  #noteHearing(): void {
    this.#heard.resolve()
    this.#heard = withResolvers()
  }

  async #end(): Promise<AgentProgress> {
    const { agent, stepReports, executor, context, releases } = this.#task
    try {
      const result = await this.#running.ended
      await executor?.end()
      this.#question = this.#isOpened || this.#terminal?.isLogComplete ? undefined : firstQuestionIn(result.tail, agent)
      if (this.#question !== undefined) this.#onEvent({ type: 'error', cause: 'question', message: this.#question })
      const evidence = await this.#evidence.atEnd(this.#limits.endingOf(result.end), result.tail)
      const usage: AgentUsage = { ...this.#budget.spent, durationMs: result.durationMs }
      const { images } = this.#evidence
      return { kind: 'ended', evidence, images, ...(this.#pid !== undefined && { usage }), ...this.#done() }
    } finally {
      this.#progress?.end()
      this.#limits.close()
      if (this.#pid !== undefined) context.processes.remove(this.#pid)
      stepReports?.direct({ kind: 'stop', reason: 'The agent has ended.' })
      releases.releaseAll()
    }
  }

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

  async #reported(): Promise<AgentProgress> {
    let stopped: readonly string[] = []
    const evidence = await this.#evidence.atReport(async () => {
      stopped = (await Promise.all([this.#running.hold(), this.#task.executor?.hold() ?? []])).flat()
    })
    const { images } = this.#evidence
    return { kind: 'reported', evidence, images, stopped: redactTexts(stopped, this.#task.redactor.redact) }
  }
}
