import type { StepReport, StepResult } from '../../records/result-log/result-log.ts'
import type { Citation } from '../../verdict/verdict.ts'
import { citationsIn, type CitationContext } from '../evidence/check-citations.ts'
import type { JournalWriter } from '../evidence/journal-writer.ts'
import { writeReportedLog, type WrittenLog } from './result-log-writer.ts'
import type { AskedStep } from '../protocol/protocol.ts'
import type { StepReports } from './step-reports.ts'

interface ReaderOptions extends Pick<
  CitationContext,
  'evidenceDir' | 'startedAtMs' | 'hidesOutputs' | 'isToldByAgent'
> {
  readonly stepReports: StepReports | undefined
  readonly steps: readonly AskedStep[]
  readonly journal: JournalWriter
  readonly log: WrittenLog
  readonly now: () => Date
  /** How long to wait for the agent's stream to show a report. */
  readonly streamLagMs: number
}

interface ReadReports {
  readonly reports: readonly StepReport[]
  readonly citations: readonly Citation[]
  readonly isLastSeen: boolean
}

export class ReportReader {
  readonly #citations: Citation[] = []
  #isLastSeen = true
  readonly #options: ReaderOptions
  #reading: Promise<void> = Promise.resolve()
  #readCount = 0
  #lastAtMs: number | undefined

  constructor(options: ReaderOptions) {
    this.#options = options
  }

  async read(): Promise<ReadReports> {
    this.#reading = this.#reading.then(async () => {
      for (const report of this.#options.stepReports?.accepted.slice(this.#readCount) ?? []) {
        this.#readCount += 1
        await this.#readOne(report)
      }
    })
    await this.#reading
    return { reports: this.#reports(), citations: [...this.#citations], isLastSeen: this.#isLastSeen }
  }

  #reports(): readonly StepReport[] {
    const { stepReports, steps } = this.#options
    if (stepReports === undefined) return []
    const ids = steps.map(({ id }) => id)
    return [...stepReports.accepted, ...contestedReports(stepReports.accepted, stepReports.refused, ids)]
  }

  cited(results: readonly StepResult[]): Promise<readonly Citation[]> {
    const { steps, journal, log, now } = this.#options
    return citationsIn(results, {
      ...this.#options,
      outputs: journal.outputs.all,
      droppedOutputs: journal.outputs.droppedCount,
      ground: log.ground,
      ownWords: journal.own.words,
      isOwnFile: (file) => journal.own.isOwnFile(file),
      redact: log.redact,
      reportedAtMs: now().getTime(),
      checkLines: new Map(steps.map(({ id, checkLines }) => [id, checkLines])),
      lastReportAtMs: this.#lastAtMs,
    })
  }

  /** Waits for the agent's output. Returns which evidence a reported pass lacks; `undefined` if none is missing. */
  async weaknessOf(result: StepResult): Promise<string | undefined> {
    const { journal, steps, streamLagMs } = this.#options
    const step = steps.find(({ id }) => id === result.id)
    if (step?.needsQuotes !== true || !(await journal.seesReport(streamLagMs))) return undefined
    const citations = await this.cited([result])
    const places = step.checks === 0 ? [undefined] : step.checkLines.map((_, index) => index + 1)
    const weak = places.flatMap((place) => {
      const ofPlace = citations.filter(({ check }) => check === place)
      if (ofPlace.some(({ found, problem }) => found && problem === undefined)) return []
      const name = place === undefined ? 'The step' : `Check ${place}`
      return `${name} is not proved. ${ofPlace[0]?.problem ?? 'It cites nothing: quote a whole line that the product printed for it.'}`
    })
    return weak.length === 0 ? undefined : weak.slice(0, 5).join('\n')
  }

  async #readOne(report: StepReport): Promise<void> {
    const { journal, log, now, streamLagMs } = this.#options
    this.#isLastSeen = await journal.seesReport(streamLagMs)
    const atMs = now().getTime()
    this.#citations.push(...(await this.cited([report])))
    this.#lastAtMs = atMs
    writeReportedLog(log, this.#reports())
  }
}

/** Refused reports that contradict accepted reports: another result of a step, or a failure of an unknown step. */
export function contestedReports(
  accepted: readonly StepReport[],
  refused: readonly StepReport[],
  steps: readonly string[],
): readonly StepReport[] {
  return refused.filter((report) => {
    const counted = accepted.find(({ id }) => id === report.id)
    if (counted === undefined) return !steps.includes(report.id) && report.status !== 'pass'
    return report.status !== counted.status || isMet(report) !== isMet(counted)
  })
}

function isMet({ checks = [] }: StepResult): boolean {
  return checks.every(({ status }) => status === 'pass')
}
