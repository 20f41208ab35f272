import { existsSync } from 'node:fs'
import type { AgentEvent, AgentInterface } from '../../agents/agent.ts'
import type { Command } from '../../system/process/command.ts'
import type { LauncherAddress } from '../../system/process/launcher/launcher.ts'
import { startCommand, type CommandResult, type RunningCommand } from '../../system/process/run-command.ts'
import { readResultLog } from '../../records/result-log/read-result-log.ts'
import type { Conclusion, Recording } from '../../records/verdict/verdict-record.ts'
import type { AgentUsage } from '../../records/agent-usage.ts'
import type { AgentEnding } from '../../verdict/verdict.ts'
import { agentEnding } from './agent-ending.ts'
import { nameOf, sayBegin, sayEnd, type AgentTerminal } from './agent-terminal.ts'
import type { Budgets } from './budget.ts'
import { BudgetWatch } from './budget-watch.ts'
import type { AgentContext } from './agent-context.ts'
import { EvidenceCollector, type EvidenceOptions } from './evidence-collector.ts'
import { firstQuestionIn } from '../protocol/first-question.ts'
import { isComplete } from '../reports/is-complete.ts'
import { startInterface, type RunningInterface } from './interface-run.ts'
import type { ScenarioProgress } from '../protocol/progress.ts'
import type { Direction, AgentProgress, StepTimeout } from '../protocol/protocol.ts'
import type { ReportDesk } from '../reports/report-desk.ts'

/** One agent at work on one scenario. */
export interface AgentRun {
  /** Absolute path of the result log; absent where no agent was started. */
  readonly logFile?: string
  /** Absolute path of the folder for evidence, where an agent was started. */
  readonly evidenceDir?: string
  /** Fulfilled or rejected once the agent and all it started are gone. */
  readonly ended: Promise<unknown>
  /** Waits for the next report, each once, or the end. An agent that reports nothing within the limit is ended. */
  awaitStep(limit?: StepTimeout): Promise<AgentProgress>
  /** Answers the last report. */
  direct(direction: Direction): void
  /** After the end: the verdict, to be written down. */
  finish(conclusion: Conclusion): Promise<void>
}

/** The terminal for an agent that has an interface. */
export interface Screen extends AgentTerminal {
  readonly interface: AgentInterface
  /** Absolute path of an empty folder for what its hooks say. */
  readonly notesFolder: string
}

/** An agent that is ready to be started, with all that it is started with. */
export interface AgentTask extends EvidenceOptions {
  readonly launcher: LauncherAddress
  readonly command: Command
  readonly budgets: Budgets
  readonly context: AgentContext
  /** Absent for an agent that works without a terminal. */
  readonly screen: Screen | undefined
  /** Called once, when the agent and all it started are gone. */
  onEnd(): Promise<void>
}

/** Time that an agent has after SIGTERM, in milliseconds: codex removes its mount points only then. */
const agentGraceMs = 5_000
const defaultClosingMs = 60_000
/** Time that an interface has to end after it was asked to quit, in milliseconds. */
const quitMs = 5_000
const maxTouchIntervalMs = 1_000

/** Starts the agent's program. */
export function startAgentRun(task: AgentTask): AgentRun {
  return new WatchedRun(task)
}

class WatchedRun implements AgentRun {
  readonly logFile: string
  readonly evidenceDir: string
  readonly ended: Promise<AgentProgress>
  readonly #task: AgentTask
  readonly #evidence: EvidenceCollector
  /** Ends an agent that is over its budget. */
  readonly #budget: BudgetWatch
  readonly #running: RunningCommand | RunningInterface
  /** The agent has ended its turn: in a terminal it waits for somebody to type. */
  #isIdle = false
  readonly #openCalls = new Set<string>()
  #isLogComplete = false
  #isQuitting = false
  /** Absent where nothing could be started, like the next. */
  #pid: number | undefined
  #progress: ScenarioProgress | undefined
  /** Ends an agent that is done and does not end by itself. */
  readonly #closing = new AbortController()
  #closingTimer: NodeJS.Timeout | undefined
  /** Ends an agent that takes too long for one step. */
  readonly #overtime = new AbortController()
  #exceeded: StepTimeout | undefined
  /** Its session has begun: it is past its first questions. */
  #isOpened = false
  /** What kept it from beginning. */
  #question: string | undefined
  #awaited = 0

  constructor(task: AgentTask) {
    const { logs, desk, request, budgets, context } = task
    this.logFile = logs.log
    this.evidenceDir = logs.evidence
    this.#task = task
    this.#evidence = new EvidenceCollector(task)
    this.#budget = new BudgetWatch({ budgets, spending: context.spending })
    this.#running = this.#start()
    if (desk) desk.onCall = () => this.#running.touch()
    this.ended = this.#end(keepAlive(this.#running, desk, request.settings.silenceTimeoutMs))
    // Whoever waits for it still gets the error; until then it is not an unhandled one.
    this.ended.catch(() => undefined)
  }

  async awaitStep(limit?: StepTimeout): Promise<AgentProgress> {
    this.#awaited += 1
    const timer = limit && setTimeout(() => this.#endOvertime(limit), limit.leftMs)
    const accepted = this.#task.desk?.accepts(this.#awaited)
    // From here on the time is mdtest's.
    const reported = accepted?.finally(() => clearTimeout(timer)).then(() => this.#reported())
    const ended = this.ended.finally(() => clearTimeout(timer))
    return reported === undefined ? ended : Promise.race([reported, ended])
  }

  #endOvertime(limit: StepTimeout): void {
    this.#exceeded = limit
    this.#overtime.abort()
  }

  direct(direction: Direction): void {
    void this.#goOn(direction)
  }

  async #goOn(direction: Direction): Promise<void> {
    const { desk, request, context } = this.#task
    const { closingMs = defaultClosingMs } = context
    try {
      await this.#evidence.resume()
    } finally {
      desk?.direct(direction)
      this.#running.release()
      this.#running.touch()
    }
    this.#quitIfDone()
    if (desk?.isOver !== true || request.hasTeardownProse) return
    this.#closingTimer ??= setTimeout(() => this.#closing.abort(), closingMs)
    this.#closingTimer.unref()
  }

  async finish(conclusion: Conclusion): Promise<void> {
    const { usage, recording } = await this.ended
    await this.#evidence.conclude(conclusion, { ...(usage && { usage }), ...(recording && { recording }) })
    const { agent, request, context } = this.#task
    const ended = { ...conclusion, durationMs: usage?.durationMs ?? 0, question: this.#question, recording }
    if (context.terminal) sayEnd(agent.name, request, { ...context.terminal, ...ended })
  }

  #start(): RunningCommand | RunningInterface {
    const { command, request, runId, context, logs, agent, redactor, screen } = this.#task
    const { hardTimeoutMs, silenceTimeoutMs } = request.settings
    const options = {
      hardTimeoutMs,
      silenceTimeoutMs,
      graceMs: agentGraceMs,
      mark: runId,
      runMark: context.runMark,
      signal: AbortSignal.any([context.signal, this.#closing.signal, this.#budget.signal, this.#overtime.signal]),
      rawLogFile: logs.raw,
      rawLogGround: logs.ground,
      redactor,
      onSpawn: (pid: number) => {
        this.#pid = pid
        context.processes.add({ pid, mark: runId })
        this.#progress = this.#announce()
      },
    }
    if (context.terminal) sayBegin(agent, request, context.terminal)
    if (screen === undefined) {
      return startCommand(command, {
        ...options,
        launcher: this.#task.launcher,
        onLine: (stream, line) => {
          const events = stream === 'stdout' ? agent.readEvents(line) : agent.readDiagnostics?.(line)
          for (const event of events ?? []) this.#take(event)
        },
      })
    }
    return startInterface(command, {
      ...options,
      ...screen,
      runId,
      title: nameOf(request),
      startedAtMs: this.#task.startedAtMs,
      adopt: (root) => context.processes.adopt(root),
      guardTerminal: (state) => context.processes.guardTerminal(state),
      onEvent: (event) => this.#take(event),
      isDone: () => this.#isSilentlyDone(),
      onStill: () => this.#quit(),
    })
  }

  /** From here on the agent counts for its run and is shown. */
  #announce(): ScenarioProgress | undefined {
    const { request, startedAtMs, redactor, context } = this.#task
    const { specFile, title, attempt } = request
    this.#budget.begin(JSON.stringify([specFile, title]))
    return context.progress?.begin({ specFile, title, attempt, startedAtMs }, redactor.redact)
  }

  #take(event: AgentEvent): void {
    // There may be a million of these.
    if (event.type === 'unknown') return
    if (event.type === 'opened') this.#isOpened = true
    this.#evidence.take(event)
    this.#budget.take(event)
    this.#progress?.take(event)
    this.#progress?.spend(this.#budget.spent)
    if (event.type === 'tool-call') this.#isIdle = false
    if (event.type === 'tool-call') this.#openCalls.add(event.id)
    if (event.type === 'tool-result') this.#openCalls.delete(event.id)
    if (event.type === 'end') {
      this.#isIdle = true
      this.#quitIfDone()
    }
  }

  /** An interface stays when its work is done. One that is not done waits for whoever sits there. */
  #quitIfDone(): void {
    if (this.#isIdle && this.#isDone) this.#quit()
  }

  /** Not an error the second time. */
  #quit(): void {
    if (!('quit' in this.#running) || this.#isQuitting) return
    this.#isQuitting = true
    this.#running.quit()
    clearTimeout(this.#closingTimer)
    this.#closingTimer = setTimeout(() => this.#closing.abort(), quitMs)
  }

  get #isDone(): boolean {
    const { desk, logs } = this.#task
    // With the first report mdtest writes the log.
    return desk === undefined || desk.accepted.length === 0 ? existsSync(logs.log) : desk.isOver
  }

  /** For an interface that tells nothing, because its hooks are forbidden or it is of another version. */
  async #isSilentlyDone(): Promise<boolean> {
    const { desk, logs, request, runId } = this.#task
    // What it has begun to do, and has told us of, it may still ask for a permission.
    if (this.#openCalls.size > 0) return false
    if (desk !== undefined && desk.accepted.length > 0) return desk.isOver
    return (this.#isLogComplete ||= isComplete(await readResultLog(logs.log), { runId, steps: request.steps }))
  }

  async #end(alive: Disposable): Promise<AgentProgress> {
    const { agent, desk, context, screen, onEnd } = this.#task
    try {
      const result = await this.#running.ended
      this.#question = this.#isOpened || this.#isLogComplete ? undefined : firstQuestionIn(result.tail, agent)
      if (this.#question !== undefined) this.#take({ type: 'error', cause: 'question', message: this.#question })
      const evidence = await this.#evidence.atEnd(this.#endingOf(result), result.tail, screen === undefined)
      const usage: AgentUsage = { ...this.#budget.spent, durationMs: result.durationMs }
      const recording = await this.#keepRecording()
      return {
        kind: 'ended',
        evidence,
        images: this.#evidence.images,
        ...(this.#pid !== undefined && { usage }),
        ...(recording && { recording }),
      }
    } finally {
      if ('recording' in this.#running) this.#running.recording.close()
      this.#progress?.end()
      clearTimeout(this.#closingTimer)
      alive[Symbol.dispose]()
      if (this.#pid !== undefined) context.processes.remove(this.#pid)
      desk?.direct({ kind: 'stop', reason: 'The agent has ended.' })
      await onEnd()
    }
  }

  /** After all that the agent started is gone: nobody else puts anything in its place. */
  async #keepRecording(): Promise<Recording | undefined> {
    return 'recording' in this.#running
      ? this.#running.recording.keep(this.#task.logs.cast, this.#task.logs.ground)
      : undefined
  }

  /** An agent that was done when we ended it did not leave its work unfinished. */
  #endingOf({ end }: CommandResult): AgentEnding {
    const { agent, context } = this.#task
    const { overrunMessage } = this.#budget
    if (overrunMessage !== undefined) {
      return { kind: 'over-budget', message: `The agent \`${agent.name}\` is over budget: ${overrunMessage}` }
    }
    if (this.#exceeded && end.reason === 'canceled' && !context.signal.aborted) {
      const { limitMs, step } = this.#exceeded
      return { kind: 'step-timeout', limitMs, step }
    }
    const isOurs = end.reason === 'canceled' && this.#closing.signal.aborted && !context.signal.aborted
    return isOurs ? { kind: 'killed', signal: 'SIGTERM', isOurs } : agentEnding(end)
  }

  /** Until it is told to go on, it is stopped with all that it started. */
  async #reported(): Promise<AgentProgress> {
    let stopped: readonly string[] = []
    const evidence = await this.#evidence.atReport(async () => {
      stopped = await this.#running.hold()
    })
    const { redact } = this.#task.redactor
    return { kind: 'reported', evidence, images: this.#evidence.images, stopped: stopped.map((line) => redact(line)) }
  }
}

/** While an agent waits for mdtest, its silence is ours. */
function keepAlive(running: RunningCommand, desk: ReportDesk | undefined, silenceTimeoutMs: number): Disposable {
  const timer = setInterval(
    () => {
      if (desk?.isChecking === true) running.touch()
    },
    Math.min(maxTouchIntervalMs, Math.ceil(silenceTimeoutMs / 4)),
  )
  timer.unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}
