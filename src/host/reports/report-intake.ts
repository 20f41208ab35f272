import type { LogPaths } from '../../records/folders/log-paths.ts'
import type { StepReport, StepResult } from '../../records/result-log/result-log.ts'
import type { Redact } from '../../system/redaction/redact-texts.ts'
import type { Citation } from '../../verdict/verdict.ts'
import { citationsIn } from '../evidence/cite-reports.ts'
import type { CitedQuote } from '../evidence/find-quote.ts'
import { contestedReports } from './contested-reports.ts'
import type { JournalKeeper } from '../evidence/journal-keeper.ts'
import type { LogKeeper } from './log-keeper.ts'
import type { AskedStep } from '../protocol/protocol.ts'
import type { ReportDesk } from './report-desk.ts'

interface IntakeOptions {
  /** Absent for an agent that takes no reports. */
  readonly desk: ReportDesk | undefined
  readonly steps: readonly AskedStep[]
  readonly journal: JournalKeeper
  readonly log: LogKeeper
  /** Where the folder for evidence is. */
  readonly logs: Pick<LogPaths, 'ground' | 'evidence'>
  readonly startedAtMs: number
  readonly now: () => Date
  /** Takes secrets out of what a problem quotes. */
  readonly redact: Redact
}

/** How long a report waits to be seen in the agent's stream as well, in milliseconds. */
const streamLagMs = 2_000

/** Makes evidence of what comes in at the desk: one report after the other, with what it cites. */
export class ReportIntake {
  /** What the reports taken so far cite. */
  readonly citations: Citation[] = []
  /** Whether the last report was seen in the agent's stream, and with it the tool calls that it rests on. */
  isLastSeen = true
  readonly #options: IntakeOptions
  readonly #checkLines: ReadonlyMap<string, readonly number[]>
  #taken: Promise<void> = Promise.resolve()
  #takenCount = 0
  #lastAtMs: number | undefined
  readonly #cited: CitedQuote[] = []

  constructor(options: IntakeOptions) {
    this.#options = options
    this.#checkLines = new Map(options.steps.map(({ id, checkLines }) => [id, checkLines]))
  }

  /** All reports that count, and those that speak against them. */
  get reports(): readonly StepReport[] {
    const { desk, steps } = this.#options
    if (desk === undefined) return []
    const ids = steps.map(({ id }) => id)
    return [...desk.accepted, ...contestedReports(desk.accepted, desk.refused, ids)]
  }

  /** Takes the reports that have come in since. */
  take(): Promise<void> {
    this.#taken = this.#taken.then(async () => {
      for (const report of this.#options.desk?.accepted.slice(this.#takenCount) ?? []) {
        this.#takenCount += 1
        await this.#takeOne(report)
      }
    })
    return this.#taken
  }

  /** Looks up what the results of steps cite, as of now. */
  cited(results: readonly StepResult[]): Promise<readonly Citation[]> {
    const { journal, logs, startedAtMs, now, redact } = this.#options
    return citationsIn(results, {
      outputs: journal.outputs.all,
      droppedOutputs: journal.outputs.droppedCount,
      ground: logs.ground,
      evidenceDir: logs.evidence,
      written: journal.writtenWords.all,
      redact,
      startedAtMs,
      reportedAtMs: now().getTime(),
      checkLines: this.#checkLines,
      cited: this.#cited,
      ...(this.#lastAtMs !== undefined && { lastReportAtMs: this.#lastAtMs }),
    })
  }

  async #takeOne(report: StepReport): Promise<void> {
    const { journal, log, now } = this.#options
    this.isLastSeen = await journal.seesReport(streamLagMs)
    const atMs = now().getTime()
    const citations = await this.cited([report])
    this.citations.push(...citations)
    const [weak] = citations.flatMap(({ found, problem }) => (found && problem) || [])
    if (this.#options.desk !== undefined) this.#options.desk.advice = weak
    const quotes = citations.filter(({ kind, found }) => kind === 'quote' && found)
    this.#cited.push(...quotes.map(({ what }) => ({ step: report.id, quote: what })))
    this.#lastAtMs = atMs
    await log.write(this.reports)
  }
}
