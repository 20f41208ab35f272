import type { AgentEvent, CliAgent } from '../agents/agent.ts'
import { mergeDenials } from '../agents/merge-denials.ts'
import type { Command } from '../exec/command.ts'
import { startCommand, type CommandResult, type RunningCommand } from '../exec/run-command.ts'
import type { LogPaths } from '../result-log/log-paths.ts'
import type { AgentUsage } from '../shared/agent-usage.ts'
import type { Redactor } from '../shared/redact.ts'
import { redactTexts } from '../shared/redact-texts.ts'
import type { AgentEnding, AgentEvidence } from '../verdict/verdict.ts'
import { agentEnding } from './agent-ending.ts'
import { describeOverrun, type Budgets } from './budget.ts'
import type { CarryOutContext } from './carry-out.ts'
import { changedFiles, type FileHashes } from './hash-file.ts'
import { JournalKeeper } from './journal-keeper.ts'
import { LogKeeper, type Conclusion } from './log-keeper.ts'
import type { ScenarioProgress } from './progress.ts'
import type { AgentProgress, ScenarioRequest } from './protocol.ts'
import { redactAgentFiles } from './redact-files.ts'
import type { Direction, ReportDesk } from './report-desk.ts'
import { ReportIntake } from './report-intake.ts'
import type { SourceWatch } from './source-watch.ts'
import type { Account } from './spending.ts'
import { UsageMeter } from './usage-meter.ts'

/** One agent at work on one scenario. */
export interface AgentRun {
  /** Absolute path of the result log; absent where no agent was started. */
  readonly logFile?: string
  /** Fulfilled or rejected once the agent and all it started are gone. */
  readonly ended: Promise<unknown>
  /** Waits for the next report, each once, or the end. */
  awaitStep(): Promise<AgentProgress>
  /** Answers the last report. */
  direct(direction: Direction): void
  /** After the end: the verdict, for the log that mdtest writes. */
  finish(conclusion: Conclusion): Promise<void>
}

interface AgentTask {
  readonly agent: CliAgent
  readonly command: Command
  readonly request: ScenarioRequest
  readonly logs: LogPaths
  readonly runId: string
  readonly startedAtMs: number
  /** Of the spec and of what it includes, before the agent's start. */
  readonly specHashes: FileHashes
  readonly sources: SourceWatch
  /** For all that is written or shown; what the verdict rests on is compared as it came. */
  readonly redactor: Redactor
  readonly budgets: Budgets
  /** Absent for an agent that takes no reports. */
  readonly desk: ReportDesk | undefined
  readonly context: CarryOutContext
  /** Called once, when the agent and all it started are gone. */
  onEnd(): Promise<void>
}

/** Time that an agent has after SIGTERM, in milliseconds: codex removes its mount points only then. */
const agentGraceMs = 5_000
/** Time for closing words, in milliseconds, before an agent that is done is ended. */
const closingMs = 60_000
const maxTouchIntervalMs = 1_000

/** Starts the agent's program. */
export function startAgentRun(task: AgentTask): AgentRun {
  return new WatchedRun(task)
}

class WatchedRun implements AgentRun {
  readonly logFile: string
  readonly #task: AgentTask
  readonly #journal: JournalKeeper
  readonly #log: LogKeeper
  readonly #running: RunningCommand
  readonly ended: Promise<AgentProgress>
  readonly #meter = new UsageMeter()
  /** Absent where nothing could be started. */
  readonly #account: Account | undefined
  /** Ends an agent that is over its budget. */
  readonly #overrun = new AbortController()
  #overrunMessage: string | undefined
  readonly #events: AgentEvent[] = []
  readonly #intake: ReportIntake
  readonly #progress: ScenarioProgress | undefined
  /** Ends an agent that is done and does not end by itself. */
  readonly #closing = new AbortController()
  #closingTimer: NodeJS.Timeout | undefined
  #closingWords = ''
  #awaited = 0

  constructor(task: AgentTask) {
    const { request, logs, runId, context, desk, startedAtMs } = task
    const { cwd, specFile, steps } = request
    const { now } = context
    const { redact } = task.redactor
    this.logFile = logs.log
    this.#task = task
    const ids = steps.map(({ id }) => id)
    const journal = new JournalKeeper({
      file: logs.journal,
      steps: ids,
      now,
      cwd,
      specFile,
      specCopy: request.specCopy,
      includedFiles: [...request.includedFiles, ...(request.includedCopies ?? [])],
      logFile: logs.log,
      redact,
    })
    const log = new LogKeeper({
      file: logs.log,
      run: runId,
      scenario: request.title,
      attempt: request.attempt,
      redact,
    })
    this.#journal = journal
    this.#log = log
    const evidenceDir = logs.evidence
    this.#intake = new ReportIntake({ desk, steps, journal, log, evidenceDir, startedAtMs, now, redact })
    this.#running = this.#start()
    const { pid } = this.#running
    const { title, attempt } = request
    this.#progress =
      pid === undefined ? undefined : context.progress?.begin({ specFile, title, attempt, startedAtMs }, redact)
    this.#account = pid === undefined ? undefined : context.spending.open(JSON.stringify([specFile, request.title]))
    if (desk) desk.onCall = () => this.#running.touch()
    this.ended = this.#end(keepAlive(this.#running, desk, request.settings.silenceTimeoutMs))
    // Whoever waits for it still gets the error; until then it is not an unhandled one.
    this.ended.catch(() => undefined)
  }

  async awaitStep(): Promise<AgentProgress> {
    this.#awaited += 1
    const reported = this.#task.desk?.accepts(this.#awaited).then(() => this.#reported())
    return reported === undefined ? this.ended : Promise.race([reported, this.ended])
  }

  direct(direction: Direction): void {
    void this.#goOn(direction)
  }

  /** From here on what changes is the agent's doing again. */
  async #goOn(direction: Direction): Promise<void> {
    const { desk, request, sources } = this.#task
    await sources.resume()
    desk?.direct(direction)
    this.#running.touch()
    if (desk?.isOver !== true || request.hasTeardownProse) return
    this.#closingTimer ??= setTimeout(() => this.#closing.abort(), closingMs)
    this.#closingTimer.unref()
  }

  async finish(conclusion: Conclusion): Promise<void> {
    const { usage } = await this.ended
    const { reports } = this.#intake
    if (reports.length === 0) return
    await this.#log.write(reports, { body: this.#closingWords, conclusion, ...(usage && { usage }) })
  }

  #start(): RunningCommand {
    const { command, request, runId, context, logs, agent, redactor } = this.#task
    const { hardTimeoutMs, silenceTimeoutMs } = request.settings
    return startCommand(command, {
      hardTimeoutMs,
      silenceTimeoutMs,
      graceMs: agentGraceMs,
      mark: runId,
      runMark: context.runMark,
      signal: AbortSignal.any([context.signal, this.#closing.signal, this.#overrun.signal]),
      rawLogFile: logs.raw,
      redactor,
      onLine: (stream, line) => {
        const events = stream === 'stdout' ? agent.readEvents(line) : agent.readDiagnostics?.(line)
        for (const event of events ?? []) this.#take(event)
      },
      onSpawn: (pid) => context.processes.add({ pid, mark: runId }),
    })
  }

  #take(event: AgentEvent): void {
    this.#journal.take(event)
    this.#progress?.take(event)
    if (event.type === 'error' || event.type === 'denial') this.#events.push(event)
    if (event.type === 'text') this.#closingWords = event.text
    this.#count(event)
  }

  /** Only an agent that says so itself is stopped by a limit that it has reached and not passed. */
  #count(event: AgentEvent): void {
    const { budgets, context } = this.#task
    this.#meter.take(event)
    this.#account?.write(this.#meter.spent)
    this.#progress?.spend(this.#meter.spent)
    const when = event.type === 'error' && event.cause === 'budget' ? 'reached' : 'passed'
    const spent = { scenario: this.#meter.spent, run: context.spending.total }
    this.#overrunMessage ??= describeOverrun(spent, { budgets, when })
    if (this.#overrunMessage !== undefined) this.#overrun.abort()
  }

  async #end(alive: Disposable): Promise<AgentProgress> {
    const { desk, context, onEnd } = this.#task
    const { pid } = this.#running
    try {
      const result = await this.#running.ended
      this.#journal.close()
      await this.#takeChanges(this.#stepUnderWay())
      await this.#intake.take()
      const evidence = await this.#evidence(this.#endingOf(result), result.tail)
      await redactAgentFiles(this.#task.logs, this.#task.redactor.redact)
      const usage: AgentUsage = { ...this.#meter.spent, durationMs: result.durationMs }
      return { kind: 'ended', evidence, ...(pid !== undefined && { usage }) }
    } finally {
      this.#progress?.end()
      clearTimeout(this.#closingTimer)
      alive[Symbol.dispose]()
      if (pid !== undefined) context.processes.remove(pid)
      desk?.direct({ kind: 'stop', reason: 'The agent has ended.' })
      await onEnd()
    }
  }

  /** An agent that was done when we ended it did not leave its work unfinished. */
  #endingOf({ end }: CommandResult): AgentEnding {
    if (this.#overrunMessage !== undefined) {
      const message = `The agent \`${this.#task.agent.name}\` is over budget: ${this.#overrunMessage}`
      return { kind: 'over-budget', message }
    }
    const isOurs = end.reason === 'canceled' && this.#closing.signal.aborted && !this.#task.context.signal.aborted
    return isOurs ? { kind: 'killed', signal: 'SIGTERM' } : agentEnding(end)
  }

  async #reported(): Promise<AgentProgress> {
    await this.#takeChanges(this.#task.desk?.accepted.at(-1)?.id)
    await this.#intake.take()
    return { kind: 'reported', evidence: await this.#evidence({ kind: 'working' }, '') }
  }

  /** Of an agent that reports: the step after the last report; the last one where all are in. */
  #stepUnderWay(): string | undefined {
    const { desk, request } = this.#task
    const accepted = desk?.accepted ?? []
    return accepted.length === 0 ? undefined : (request.steps[accepted.length] ?? request.steps.at(-1))?.id
  }

  async #takeChanges(stepId: string | undefined): Promise<void> {
    const { sources, request } = this.#task
    await sources.pause(stepId)
    await sources.addWritten(this.#journal.written, request.cwd)
  }

  async #evidence(ending: AgentEnding, tail: string): Promise<AgentEvidence> {
    const { agent, runId, startedAtMs, specHashes, redactor } = this.#task
    const isWorking = ending.kind === 'working'
    const { reports, citations, isLastSeen } = this.#intake
    const reading = isWorking ? stillAtWork : await this.#log.read()
    const steps = reading.ok && reports.length === 0 ? (reading.log.steps ?? []) : []
    const ofLog = await Promise.all(steps.map((step) => this.#intake.cited(step)))
    // A report that was not seen in the stream came before the calls that it rests on: they cannot be asked for yet.
    const journal = isWorking && !isLastSeen ? undefined : this.#journal.sightings
    const evidence: AgentEvidence = {
      name: agent.name,
      ending,
      errors: this.#events.flatMap((event) =>
        event.type === 'error' ? [{ cause: event.cause, message: event.message }] : [],
      ),
      denials: mergeDenials(this.#events.filter((event) => event.type === 'denial')),
      reading,
      runId,
      startedAtMs,
      modifiedSources: this.#task.sources.modified,
      modifiedSpecFiles: changedFiles(specHashes),
      tail,
      reports,
      citations: [...citations, ...ofLog.flat()],
      ...(journal && { journal }),
    }
    // Before messages of the verdict cut what they quote.
    return redactTexts(evidence, redactor.redact)
  }
}

const stillAtWork = { ok: false, code: 'LOG_MISSING', message: 'The agent is still at work.' } as const // a literal code

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
