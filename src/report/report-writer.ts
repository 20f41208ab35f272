import type { CoverageReport } from '../coverage/compute-coverage.ts'
import { MdtestError } from '../system/mdtest-error.ts'
import { clearReport, openReport, type ReportFolder, type ReportPlace } from './folder/report-folder.ts'
import { recordSpec } from './data/build-spec-record.ts'
import { readRevision, type RunRecord } from './data/run-record.ts'
import type { EndedSpec } from './data/spec-record.ts'

interface RunEnd extends Pick<RunRecord, 'specs' | 'otherTests' | 'errors'> {
  /** Whether results of other runs were merged. The wall time is then unknown. */
  readonly isMerged?: boolean
  readonly readCoverage?: () => Promise<CoverageReport>
}

interface WriterContext {
  readonly env: NodeJS.ProcessEnv
  tell(message: string, why: unknown): void
}

const summaryIntervalMs = 1000

/** Writes a report while specs run, one file after the other. If that fails, no test fails. */
export class ReportWriter {
  readonly #place: ReportPlace
  readonly #context: WriterContext
  #queue: Promise<void> = Promise.resolve()
  #folder: ReportFolder | undefined
  #isBroken = false
  #timer: NodeJS.Timeout | undefined
  #run: RunRecord | undefined
  #startedAtMs = performance.now()
  #wallTimeMs = 0

  constructor(place: ReportPlace, context: WriterContext) {
    this.#place = place
    this.#context = context
  }

  begin(specs: number): void {
    this.#startedAtMs = performance.now()
    this.#write(async (folder) => folder.writeSummary(await this.#begun(specs)))
  }

  addSpec(read: () => Promise<EndedSpec>): void {
    this.#write(async (folder) => {
      folder.putSpec(await recordSpec(await read(), folder.kept))
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined
        this.#write(async (open) => open.writeSummary(await this.#begun(0)))
      }, summaryIntervalMs).unref()
    })
  }

  /** Ends the run. Resolves to `true` if the whole report was written. */
  async end({ isMerged = false, readCoverage, ...ended }: RunEnd): Promise<boolean> {
    this.#wallTimeMs += performance.now() - this.#startedAtMs
    const wallTimeMs = Math.round(this.#wallTimeMs)
    this.#write(async (folder) => {
      const run = await this.#begun(ended.specs)
      this.#run = { ...run, ...ended, endedAt: new Date().toISOString(), ...(!isMerged && { wallTimeMs }) }
      folder.writeSummary(this.#run)
      if (readCoverage !== undefined) folder.writeCoverage(await readCoverage())
    })
    clearTimeout(this.#timer)
    this.#timer = undefined
    await this.#queue
    return !this.#isBroken
  }

  async #begun(specs: number): Promise<RunRecord> {
    if (this.#run !== undefined) return this.#run
    const startedAt = new Date(performance.timeOrigin + this.#startedAtMs).toISOString()
    const revision = await readRevision({ folder: this.#place.root, env: this.#context.env })
    const otherTests = { pass: 0, fail: 0, skipped: 0 }
    this.#run = { startedAt, specs, otherTests, errors: [], ...(revision && { revision }) }
    return this.#run
  }

  #write(action: (folder: ReportFolder) => Promise<void>): void {
    const previous = this.#queue
    this.#queue = (async () => {
      await previous
      if (this.#isBroken) return
      try {
        if (this.#folder === undefined) {
          this.#folder = openReport(this.#place)
          clearReport(this.#place)
        }
        await action(this.#folder)
      } catch (error: unknown) {
        this.#isBroken = true
        const why = error instanceof MdtestError ? error.message : error
        this.#context.tell(`mdtest: The report in ${this.#place.dir} cannot be written.`, why)
      }
    })()
  }
}
