import { redactTexts, type Redact } from '../../system/redaction/redact-texts.ts'
import { formatResultLog, type ResultLogContent } from '../../records/result-log/format-result-log.ts'
import type { LogReading, ResultLog, StepReport } from '../../records/result-log/result-log.ts'
import { readResultLog } from '../../records/result-log/read-result-log.ts'
import { leastExecutor } from '../../records/used-executor.ts'
import type { ScenarioVerdict } from '../../records/verdict/verdict-record.ts'
import { writeLogFile } from '../../records/folders/write-log-file.ts'
import type { Ground } from '../../system/files/ground.ts'
import type { AgentUsage } from '../../records/agent-usage.ts'

interface WriterOptions {
  readonly ground: Ground
  readonly file: string
  readonly run: string
  readonly scenario: string
  readonly attempt: number
  /** Takes secrets out of what is written. Default: nothing is taken out. */
  readonly redact?: Redact
}

/** What is known once the agent has ended. */
interface Closing {
  readonly body?: string
  readonly verdict?: ScenarioVerdict
  readonly usage?: AgentUsage
}

/** Writes the result log from reports, and keeps what the agent itself wrote in its place. */
export class ResultLogWriter {
  readonly #options: Required<WriterOptions>
  #ofAgent: LogReading | undefined

  constructor(options: WriterOptions) {
    this.#options = { redact: (text) => text, ...options }
  }

  /** The log as the agent left it. */
  async read(): Promise<LogReading> {
    const reading = await readResultLog(this.#options.file, this.#options)
    if (this.#isOurs(reading) && this.#ofAgent !== undefined) return this.#ofAgent
    return reading
  }

  /** Until there is a verdict the log does not say `pass`: nobody must take half a run for a whole one. */
  async write(reports: readonly StepReport[], { body = '', verdict, usage }: Closing = {}): Promise<void> {
    const reading = await this.read()
    if (!this.#isOurs(reading) && (reading.ok || reading.code !== 'LOG_MISSING')) this.#ofAgent = reading
    const { ground, file, redact, ...head } = this.#options
    const steps = reports.map(({ at: _at, ...result }) => result)
    const status = verdict?.outcome === 'pass' ? 'pass' : 'fail'
    const ofVerdict = verdict && { ...executorIn(verdict), outcome: verdict.outcome, reasons: reasonsOf(verdict) }
    // Before it is formatted, which folds and cuts long texts.
    const content = redactTexts({ status, ...head, ...ofVerdict, steps, body } as const, redact) // for `status`
    try {
      writeLogFile(ground, file, formatResultLog({ ...content, ...(usage && { usage: noteUsage(usage) }) }))
    } catch {
      // The agent made the place unwritable; the verdict rests on the reports, not on their copy.
    }
  }

  #isOurs(reading: LogReading): boolean {
    return reading.ok && reading.log['written-by'] === 'mdtest' && reading.log.run === this.#options.run
  }
}

function executorIn({ steps }: ScenarioVerdict): Pick<ResultLogContent, 'executor' | 'sandbox'> {
  const executor = leastExecutor(steps.map((step) => step.executor))
  return executor ? { executor: 'mdtest', sandbox: executor.sandbox } : {}
}

function reasonsOf({ steps }: ScenarioVerdict): NonNullable<ResultLog['reasons']> {
  return steps.flatMap(({ reasons }) => reasons.map(({ code, message }) => ({ code, message })))
}

function noteUsage(usage: AgentUsage): ResultLog['usage'] {
  const { inputTokens, outputTokens, cachedInputTokens, costUsd, turns, model, durationMs } = usage
  return {
    ...(model !== undefined && { model }),
    ...(turns !== undefined && { turns }),
    'input-tokens': inputTokens,
    'output-tokens': outputTokens,
    ...(cachedInputTokens !== undefined && { 'cached-input-tokens': cachedInputTokens }),
    ...(costUsd !== undefined && { 'cost-usd': costUsd }),
    'duration-ms': durationMs,
  }
}
