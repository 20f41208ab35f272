import { mergeDenials } from '../../agents/agent-events.ts'
import type { AgentEvent } from '../../agents/agent.ts'
import type { AgentUsage } from '../../records/tokens-and-cost.ts'
import { clearPlace } from '../../records/folders/log-file.ts'
import { readResultLog } from '../../records/result-log/read-result-log.ts'
import type { StepResult } from '../../records/result-log/result-log.ts'
import { withReason } from '../../records/step-source.ts'
import { writeVerdict, type ScenarioVerdict, type VerdictRecord } from '../../records/verdict/verdict-record.ts'
import { pathIn } from '../../system/files/paths.ts'
import { redactTexts } from '../../system/redaction/redact-texts.ts'
import { withoutUndefined } from '../../system/without-undefined.ts'
import type { AgentEnding, AgentEvidence } from '../../verdict/verdict.ts'
import { JournalWriter } from '../evidence/journal-writer.ts'
import { ActsPastExecutor, ProductFiles } from '../evidence/agents-own-files.ts'
import { redactAgentFiles } from '../evidence/redact-files.ts'
import { changedFiles } from '../guard/file-state.ts'
import { isAllowed } from '../guard/source-snapshots.ts'
import type { WrittenFile } from '../guard/source-watch.ts'
import type { Screenshot } from '../protocol/protocol.ts'
import { ReportReader } from '../agent-reports/report-reader.ts'
import { writeReportedLog, type WrittenLog } from '../agent-reports/result-log-writer.ts'
import type { AgentTask } from './agent-task.ts'
import { specFilesOf } from './guard-agent-run.ts'

export class EvidenceCollector {
  readonly #task: AgentTask
  readonly #journal: JournalWriter
  readonly #log: WrittenLog
  readonly #reader: ReportReader
  readonly #events: AgentEvent[] = []
  readonly #actsPastExecutor = new ActsPastExecutor()
  readonly #productFiles: ProductFiles
  #closingWords = ''
  readonly images: Screenshot[] = []

  constructor(task: AgentTask) {
    const { agent, request, logs, runId, startedAtMs, stepReports, executor, context, redactor, screen } = task
    const { cwd, specFile, includedCopies = [], steps, title, attempt } = request
    const { now } = context
    const { redact } = redactor
    const { ground, log: file } = logs
    this.#task = task
    this.#journal = new JournalWriter({
      ...request,
      ...{ ground, now, startedAtMs, redact, file: logs.journal, logFile: file },
      steps: steps.map(({ id }) => id),
      includedFiles: [...specFilesOf(request).filter((file) => file !== specFile), ...includedCopies],
      allow: request.settings.allow,
      servers: Object.keys(request.settings.mcpServers ?? {}),
      mayWrite: (name) => isAllowed(name, request.writes),
      keepsDirectory: agent.keepsDirectory ?? false,
      ...(executor && { stepOfExecutor: () => stepReports?.stepUnderWay, scratchDir: executor.scratchDir }),
    })
    this.#log = { ground, file, run: runId, scenario: title, attempt, redact }
    this.#productFiles = new ProductFiles(cwd, request.settings.allow)
    this.#reader = new ReportReader({
      journal: this.#journal,
      log: this.#log,
      ...{ stepReports, steps, startedAtMs, now, evidenceDir: logs.evidence },
      hidesOutputs: executor === undefined && agent.hidesOutputs === true,
      isToldByAgent: executor === undefined,
      // In a terminal the agent's stream is not read, so there is nothing to wait for.
      streamLagMs: screen ? 0 : 2_000,
    })
  }

  onEvent(event: AgentEvent): void {
    if (!this.#task.screen) this.#journal.onEvent(event)
    const hasExecutor = this.#task.executor !== undefined
    const act = hasExecutor ? this.#actsPastExecutor.onEvent(event) : undefined
    if (act !== undefined) this.#events.push(act)
    // With an executor, refused calls of the agent's own tools are no problem: mdtest's tools replace them.
    if (event.type === 'error' || (event.type === 'denial' && !hasExecutor)) this.#events.push(event)
    if (event.type === 'text') this.#closingWords = event.text
    if (event.type === 'image') this.images.push(withoutUndefined({ file: event.file, step: event.step }))
  }

  /** Records an action of mdtest for the agent. Returns the reason if the output must not be quoted. */
  onHand(event: AgentEvent): string | undefined {
    if (event.type === 'denial') this.#events.push(event)
    return this.#journal.onHand(event)
  }

  async weaknessOf(result: StepResult): Promise<string | undefined> {
    return this.#task.screen ? undefined : this.#reader.weaknessOf(result)
  }

  /** Checks guarded files after each command, so that a later command cannot hide a change. */
  async checkSources(): Promise<void> {
    await this.#addWritten(this.#productFiles.rewritten(this.#stepUnderWay()))
    for (const watch of this.#task.sources) await watch.check(this.#stepUnderWay())
  }

  async resume(): Promise<void> {
    this.#productFiles.rewritten(undefined)
    for (const watch of this.#task.sources) await watch.resume()
  }

  /** Collects evidence while the agent waits for the answer to its report. `hold` pauses the agent. */
  async atReport(hold: () => Promise<void>): Promise<AgentEvidence> {
    await this.#reader.read()
    await hold()
    await this.#takeChanges(this.#task.stepReports?.accepted.at(-1)?.id)
    return this.#evidence({ ending: { kind: 'working' }, reading: stillAtWork, tail: '' })
  }

  async atEnd(ending: AgentEnding, tail: string): Promise<AgentEvidence> {
    const { logs, sources, stepReports, redactor } = this.#task
    this.#journal.close()
    clearPlace(logs.ground, logs.verdict)
    await this.#takeChanges(this.#stepUnderWay())
    for (const watch of sources) watch.close()
    stepReports?.end()
    await this.#reader.read()
    const unseenReports = this.#journal.unseenReports(stepReports?.accepted ?? [])
    const reading = await readResultLog(this.#log.file, this.#log)
    const evidence = await this.#evidence({ ending, reading, tail, unseenReports })
    redactAgentFiles(logs, redactor.redact)
    return evidence
  }

  async recordVerdict(verdict: ScenarioVerdict, usage?: AgentUsage): Promise<void> {
    const { reports } = await this.#reader.read()
    if (reports.length > 0) writeReportedLog(this.#log, reports, { body: this.#closingWords, verdict, usage })
    recordVerdict(verdict, { ...this.#task, images: this.images, usage })
  }

  /** Step that the agent works on: the first without a report, or the last one. `undefined` before any report. */
  #stepUnderWay(): string | undefined {
    const { stepReports, request } = this.#task
    const accepted = stepReports?.accepted ?? []
    return accepted.length === 0 ? undefined : (request.steps[accepted.length] ?? request.steps.at(-1))?.id
  }

  async #takeChanges(stepId: string | undefined): Promise<void> {
    await this.#addWritten(this.#productFiles.rewritten(stepId))
    for (const watch of this.#task.sources) await watch.pause(stepId)
    await this.#addWritten(this.#journal.own.written)
  }

  async #addWritten(files: readonly WrittenFile[]): Promise<void> {
    for (const watch of this.#task.sources) await watch.addWritten(files)
  }

  async #evidence(
    account: Pick<AgentEvidence, 'ending' | 'reading' | 'tail' | 'unseenReports'>,
  ): Promise<AgentEvidence> {
    const { agent, runId, startedAtMs, specHashes, sources, redactor, usedExecutor, whyItself, screen, context } =
      this.#task
    // Read again, because reports may have been refused while the agent was being paused.
    const { reports, citations, isLastSeen } = await this.#reader.read()
    const { reading } = account
    const citedInLog = reports.length > 0 || !reading.ok ? [] : await this.#reader.cited(reading.log.steps ?? [])
    // If the agent's output does not show the last report yet, earlier calls may be missing from the journal, too.
    const journal = account.ending.kind === 'working' && !isLastSeen ? undefined : this.#journal.observedCalls
    // Calls of an agent's own tools show only in an event stream, which terminal agents and trusted programs lack.
    const isUnseen = screen !== undefined || agent.confinement === 'trust'
    const evidence: AgentEvidence = {
      ...account,
      ...{ runId, startedAtMs, name: agent.name },
      errors: this.#events.flatMap((event) =>
        event.type === 'error' ? [{ cause: event.cause, message: event.message }] : [],
      ),
      denials: mergeDenials(this.#events.filter((event) => event.type === 'denial')),
      modifiedSources: sources.flatMap(({ modified }) => modified),
      modifiedSpecFiles: changedFiles(specHashes).filter((file) => !context.guard.ownWrites.isAsWritten(file)),
      reports,
      citations: [...citations, ...citedInLog],
      ...withoutUndefined({ journal, executor: usedExecutor, whyItself }),
      ...(screen && { isInTerminal: true }),
      ...(usedExecutor?.sandbox === 'none' && isUnseen && { isTrusted: true }),
    }
    // Redact before the verdict shortens quotes: half a secret is not recognized.
    return redactTexts(evidence, redactor.redact)
  }
}

const stillAtWork = { ok: false, code: 'LOG_MISSING', message: 'The agent is still at work.' } as const

interface JudgedRun extends Pick<AgentTask, 'agent' | 'request' | 'logs' | 'runId' | 'startedAtMs' | 'redactor'> {
  readonly usage?: AgentUsage | undefined
  readonly images?: readonly Screenshot[]
}

export function recordVerdict(verdict: ScenarioVerdict, run: JudgedRun): void {
  const { agent, request, logs, runId, startedAtMs, redactor, usage, images = [] } = run
  const { root, specFile, title, attempt } = request
  const imagesOf = (step?: string): { images?: string[] } => {
    const names = images.flatMap((image) => (image.step === step ? image.file : []))
    return names.length === 0 ? {} : { images: names }
  }
  const placed = <T extends { readonly file?: string }>(part: T): T =>
    part.file === undefined ? part : { ...part, file: pathIn(root, part.file) }
  const record: VerdictRecord = {
    version: 1,
    spec: pathIn(root, specFile),
    scenario: title,
    attempt,
    ...(verdict.repeat && { repeat: verdict.repeat }),
    run: runId,
    agent: agent.name,
    startedAt: new Date(startedAtMs).toISOString(),
    outcome: verdict.outcome,
    steps: verdict.steps.map((step) => ({
      ...placed(step),
      reasons: step.reasons.map(placed),
      ...(step.source && { source: withReason(step.source, placed) }),
      ...imagesOf(step.id),
      ...(step.unreproduced && { unreproduced: placed(step.unreproduced) }),
      ...(step.expected && { expected: step.expected.map(placed) }),
    })),
    ...(usage && { usage }),
    ...imagesOf(),
  }
  writeVerdict(logs, redactTexts(record, redactor.redact))
}
