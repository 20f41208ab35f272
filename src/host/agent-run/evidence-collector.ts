import type { AgentEvent, CliAgent } from '../../agents/agent.ts'
import { mergeDenials } from '../../agents/agent-events.ts'
import { readResultLog } from '../../records/result-log/read-result-log.ts'
import { clearPlace } from '../../records/folders/write-log-file.ts'
import type { LogPaths } from '../../records/folders/log-paths.ts'
import type { LogReading, StepResult } from '../../records/result-log/result-log.ts'
import type { ScenarioVerdict } from '../../records/verdict/verdict-record.ts'
import type { UsedExecutor } from '../../records/used-executor.ts'
import type { AgentUsage } from '../../records/agent-usage.ts'
import type { Redactor } from '../../system/redaction/redact.ts'
import { redactTexts } from '../../system/redaction/redact-texts.ts'
import type { AgentEnding, AgentEvidence, Citation } from '../../verdict/verdict.ts'
import { changedFiles, type FileHashes } from '../guard/file-state.ts'
import { JournalWriter } from '../evidence/journal-writer.ts'
import { writeReportedLog, type WrittenLog } from '../reports/result-log-writer.ts'
import type { ScenarioRequest, Screenshot } from '../protocol/protocol.ts'
import { recordVerdict } from './record-verdict.ts'
import { ActsPastExecutor, ProductFiles } from '../evidence/own-work.ts'
import { redactAgentFiles } from '../evidence/redact-files.ts'
import type { StepReports } from '../reports/step-reports.ts'
import { ReportReader } from '../reports/report-reader.ts'
import type { SourceWatch } from '../guard/source-watch.ts'
import { isAllowed } from '../guard/source-guard.ts'
import { type RunGuard, specFilesOf } from './watch-scenario.ts'

export interface EvidenceOptions {
  readonly agent: CliAgent
  readonly request: ScenarioRequest
  readonly logs: LogPaths
  readonly runId: string
  readonly startedAtMs: number
  /** Of the spec and of what it includes, before the agent was started. */
  readonly specHashes: FileHashes
  readonly sources: SourceWatch
  /** For all that is written or shown. Comparisons for the verdict use the texts as they came. */
  readonly redactor: Redactor
  /** Absent for an agent that takes no reports. */
  readonly stepReports: StepReports | undefined
  readonly executor?: object | undefined
  /** How the agent was kept from the product, where mdtest alone executed it. */
  readonly usedExecutor?: UsedExecutor | undefined
  /** Why the agent executed itself although mdtest was to, if it could. */
  readonly whyItself?: string | undefined
  /** Whether the agent worked in its own interface in a terminal. */
  readonly isInTerminal: boolean
  readonly context: { readonly now: () => Date; readonly guard: Pick<RunGuard, 'ownWrites'> }
}

/** What is known of an agent's work besides the evidence. */
export interface Account {
  readonly usage?: AgentUsage
}

/** Collects what the verdict on one agent's work rests on, and keeps the journal and the result log. */
export class EvidenceCollector {
  readonly #options: EvidenceOptions
  readonly #journal: JournalWriter
  readonly #log: WrittenLog
  readonly #reader: ReportReader
  readonly #events: AgentEvent[] = []
  readonly #actsPastExecutor = new ActsPastExecutor()
  readonly #productFiles: ProductFiles
  #closingWords = ''
  readonly #images: Screenshot[] = []

  constructor(options: EvidenceOptions) {
    const { agent, request, logs, runId, startedAtMs, stepReports, executor } = options
    const hidesOutputs = executor === undefined && agent.hidesOutputs === true
    const { cwd, specFile, specCopy, includedCopies = [], steps, title, attempt } = request
    const { now } = options.context
    const { redact } = options.redactor
    // Nothing is read of what it does there.
    const streamLagMs = options.isInTerminal ? 0 : 2_000
    this.#options = options
    const journal = new JournalWriter({
      ground: logs.ground,
      file: logs.journal,
      steps: steps.map(({ id }) => id),
      now,
      cwd,
      specFile,
      specCopy,
      includedFiles: [...specFilesOf(request).filter((file) => file !== specFile), ...includedCopies],
      logFile: logs.log,
      allow: request.settings.allow,
      servers: Object.keys(request.settings.mcpServers ?? {}),
      startedAtMs,
      redact,
      mayWrite: (name) => isAllowed(name, request.writes),
      keepsDirectory: agent.keepsDirectory ?? false,
      ...(executor && { stepOfExecutor: () => stepReports?.stepUnderWay }),
    })
    const log = { ground: logs.ground, file: logs.log, run: runId, scenario: title, attempt, redact }
    this.#journal = journal
    this.#productFiles = new ProductFiles(cwd, request.settings.allow)
    this.#log = log
    this.#reader = new ReportReader({
      stepReports,
      steps,
      journal,
      log,
      logs,
      startedAtMs,
      now,
      redact,
      hidesOutputs,
      streamLagMs,
    })
  }

  onEvent(event: AgentEvent): void {
    if (!this.#options.isInTerminal) this.#journal.onEvent(event)
    const hasExecutor = this.#options.executor !== undefined
    const act = hasExecutor ? this.#actsPastExecutor.onEvent(event) : undefined
    if (act !== undefined) this.#events.push(act)
    // Tools of its own that were refused: it does without them.
    const isOfExecutor = event.type === 'denial' && hasExecutor
    if (event.type === 'error' || (event.type === 'denial' && !isOfExecutor)) this.#events.push(event)
    if (event.type === 'text') this.#closingWords = event.text
    if (event.type === 'image') this.#images.push(screenshotOf(event))
  }

  /** mdtest itself did something for the agent. Gives why nothing can be quoted of the result of a command. */
  onHand(event: AgentEvent): string | undefined {
    if (event.type === 'denial') this.#events.push(event)
    if (event.type === 'image') this.#images.push(screenshotOf(event))
    return this.#journal.onHand(event)
  }

  /** Screenshots so far; not what the verdict rests on. */
  get images(): readonly Screenshot[] {
    return [...this.#images]
  }

  /** Why a report of a pass is not proved, while the agent can still mend it. */
  async weaknessOf(result: StepResult): Promise<string | undefined> {
    return this.#options.isInTerminal ? undefined : this.#reader.weaknessOf(result)
  }

  /** Compares what is guarded: what was changed and put back shows between two lines of commands alone. */
  async checkSources(): Promise<void> {
    await this.#pauseSources(this.#stepUnderWay())
    await this.#options.sources.resume()
  }

  /** From here on all changes are the agent's again. */
  resume(): Promise<void> {
    this.#productFiles.rewritten(undefined)
    return this.#options.sources.resume()
  }

  /**
   * What is known after a report, while the agent waits for its answer.
   * @param hold stops the agent, so that it changes nothing more
   */
  async atReport(hold: () => Promise<void>): Promise<AgentEvidence> {
    await this.#reader.read()
    await hold()
    await this.#takeChanges(this.#options.stepReports?.accepted.at(-1)?.id)
    return this.#evidence({ ending: { kind: 'working' }, reading: stillAtWork, tail: '' })
  }

  /**
   * What is known after the agent's end. Closes the journal, and takes secrets out of what the agent wrote itself.
   * @param tail the last lines of its output
   */
  async atEnd(ending: AgentEnding, tail: string): Promise<AgentEvidence> {
    this.#journal.close()
    const { ground, verdict } = this.#options.logs
    clearPlace(ground, verdict)
    await this.#takeChanges(this.#stepUnderWay())
    this.#options.sources.close()
    this.#options.stepReports?.end()
    await this.#reader.read()
    const unseenReports = this.#journal.unseenReports(this.#options.stepReports?.accepted ?? [])
    const reading = await readResultLog(this.#log.file, this.#log)
    const evidence = await this.#evidence({ ending, reading, tail, unseenReports })
    redactAgentFiles(this.#options.logs, this.#options.redactor.redact)
    return evidence
  }

  /** After the end: records the verdict, also in the log where mdtest writes that. */
  async recordVerdict(verdict: ScenarioVerdict, { usage }: Account): Promise<void> {
    const { reports } = await this.#reader.read()
    if (reports.length > 0) {
      writeReportedLog(this.#log, reports, { body: this.#closingWords, verdict, ...(usage && { usage }) })
    }
    await recordVerdict(verdict, {
      ...this.#options,
      images: this.#images,
      ...(usage && { usage }),
    })
  }

  /** The step that a reporting agent is at: the one after its last report, or the last step of all. */
  #stepUnderWay(): string | undefined {
    const { stepReports, request } = this.#options
    const accepted = stepReports?.accepted ?? []
    return accepted.length === 0 ? undefined : (request.steps[accepted.length] ?? request.steps.at(-1))?.id
  }

  async #takeChanges(stepId: string | undefined): Promise<void> {
    const { sources, request } = this.#options
    await this.#pauseSources(stepId)
    await sources.addWritten(this.#journal.own.written, request.cwd)
  }

  async #pauseSources(stepId: string | undefined): Promise<void> {
    const { sources, request } = this.#options
    await sources.addWritten(this.#productFiles.rewritten(stepId), request.cwd)
    await sources.pause(stepId)
  }

  async #evidence(
    account: Pick<AgentEvidence, 'ending' | 'reading' | 'tail' | 'unseenReports'>,
  ): Promise<AgentEvidence> {
    const { agent, runId, startedAtMs, specHashes, sources, redactor, usedExecutor, whyItself, isInTerminal, context } =
      this.#options
    // Reports may have been refused while the agent was being stopped.
    const { reports, citations, isLastSeen } = await this.#reader.read()
    // Reports count before the log.
    const citedInLog = reports.length > 0 ? [] : await this.#citedIn(account.reading)
    // A report that the stream has not shown yet is ahead of it: the calls behind it are not known.
    const journal = account.ending.kind === 'working' && !isLastSeen ? undefined : this.#journal.observedCalls
    // What it does past mdtest is seen in its stream alone.
    const isUnseen = isInTerminal || agent.confinement === 'trust'
    const evidence: AgentEvidence = {
      ...account,
      name: agent.name,
      errors: this.#events.flatMap((event) =>
        event.type === 'error' ? [{ cause: event.cause, message: event.message }] : [],
      ),
      denials: mergeDenials(this.#events.filter((event) => event.type === 'denial')),
      runId,
      startedAtMs,
      modifiedSources: sources.modified,
      modifiedSpecFiles: changedFiles(specHashes).filter((file) => !context.guard.ownWrites.isAsWritten(file)),
      reports,
      citations: [...citations, ...citedInLog],
      ...(journal && { journal }),
      ...(usedExecutor && { executor: usedExecutor }),
      ...(whyItself !== undefined && { whyItself }),
      ...(isInTerminal && { isInTerminal }),
      ...(usedExecutor?.sandbox === 'none' && isUnseen && { isTrusted: true }),
    }
    // Now, because messages of the verdict cut what they quote: half a secret is not found.
    return redactTexts(evidence, redactor.redact)
  }

  async #citedIn(reading: LogReading): Promise<readonly Citation[]> {
    return reading.ok ? this.#reader.cited(reading.log.steps ?? []) : []
  }
}

function screenshotOf({ file, step }: Extract<AgentEvent, { type: 'image' }>): Screenshot {
  return { file, ...(step !== undefined && { step }) }
}

const stillAtWork = { ok: false, code: 'LOG_MISSING', message: 'The agent is still at work.' } as const // a literal code
