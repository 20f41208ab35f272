import type { StepReport, StepResult } from '../../records/result-log/result-log.ts'
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Direction } from '../protocol/protocol.ts'
import { Condition } from '../../system/slots-and-timers.ts'
import { cutLine } from '../../system/text/plain-text.ts'

export interface Answer {
  readonly text: string
  readonly isError: boolean
  /** All content of a tool's answer, if there is more than text. */
  readonly parts?: readonly CallToolResult['content'][number][]
}

export interface Arrival {
  /** Milliseconds on the clock of `performance.now()`. */
  readonly atMs: number
  readonly port?: number | undefined
}

interface ReportListener {
  readonly onCall?: () => void
  readonly onReport?: (isAccepted: boolean) => void
  /** Called when a call was answered before mdtest had finished its checks. */
  readonly onLate?: (port: number | undefined) => void
  readonly weigh?: (result: StepResult) => Promise<string | undefined>
}

interface StepReportsOptions {
  readonly steps: readonly string[]
  readonly now: () => Date
  readonly maxWaitMs?: number
}

/** Longest time until a call is answered: codex in code mode gives up on calls after about 30 s. */
export const maxWaitMs = 20_000

const maxGivenBack = 2
const maxRefused = 100
const maxKeptChecks = 1_000

export const stillChecking =
  'mdtest still checks the last step. Try nothing meanwhile: call `next_step` and wait for its answer.'

/** Accepts the reports of one scenario in the order of its steps, and refuses all others. */
export class StepReports {
  readonly #options: StepReportsOptions
  readonly accepted: StepReport[] = []
  /** Reports that came twice, too late, out of order or for an unknown step. */
  readonly refused: StepReport[] = []
  isChecking = false
  readonly #givenBack = new Map<string, number>()
  #givenBackLast: StepReport | undefined
  #listener: ReportListener = {}
  #lastAnswer: string | undefined
  readonly #changes = new Condition()

  constructor(options: StepReportsOptions) {
    this.#options = options
  }

  get stepUnderWay(): string | undefined {
    return this.isChecking || this.isOver ? undefined : this.#nextStep
  }

  get isOver(): boolean {
    return this.#lastAnswer !== undefined
  }

  listen(listener: ReportListener): void {
    this.#listener = { ...this.#listener, ...listener }
  }

  async report(result: StepResult, arrival: Arrival = { atMs: performance.now() }): Promise<Answer> {
    this.#listener.onCall?.()
    const report = { ...result, at: this.#options.now().toISOString() }
    const timesGivenBack = this.#givenBack.get(result.id) ?? 0
    const mayGiveBack = result.status === 'pass' && timesGivenBack < maxGivenBack && !this.#problemOf(result)
    const weigh = mayGiveBack ? this.#listener.weigh : undefined
    const weakness = weigh && (await weigh(result))
    const problem = this.#problemOf(result)
    if (problem === undefined && weakness !== undefined) {
      this.#givenBack.set(result.id, (this.#givenBack.get(result.id) ?? 0) + 1)
      this.#givenBackLast = report
      const text = `The report of \`${result.id}\` was not taken yet.\n${weakness}\nTry it again where that helps, then report \`${result.id}\` again: with what the product shows, or as \`fail\` or \`blocked\` with what you saw.`
      return { text, isError: true }
    }
    this.#listener.onReport?.(problem === undefined)
    if (problem !== undefined) {
      this.#refuse(report)
      return { text: `The report of \`${cutLine(result.id, 200)}\` was refused${problem}`, isError: true }
    }
    this.accepted.push(report)
    this.#givenBackLast = undefined
    this.isChecking = true
    this.#changes.notify()
    return this.#answerWithin(arrival)
  }

  async next(arrival: Arrival = { atMs: performance.now() }): Promise<Answer> {
    this.#listener.onCall?.()
    return this.#answerWithin(arrival)
  }

  async #answerWithin({ atMs, port }: Arrival): Promise<Answer> {
    const limitMs = (this.#options.maxWaitMs ?? maxWaitMs) - (performance.now() - atMs)
    const text = await this.#changes.waitFor(() => this.#direction(), Math.max(0, limitMs))
    if (text === undefined) this.#listener.onLate?.(port)
    return { text: text ?? stillChecking, isError: false }
  }

  /** Call when the agent has ended. Accepts the last report even if it lacks evidence that mdtest asked for. */
  end(): void {
    if (this.#givenBackLast !== undefined) this.accepted.push(this.#givenBackLast)
    this.#givenBackLast = undefined
  }

  accepts(count: number): Promise<StepReport> {
    return this.#changes.waitFor(() => this.accepted[count - 1])
  }

  direct(direction: Direction): void {
    if (this.isOver) return
    this.isChecking = false
    if (direction.kind === 'stop') {
      this.#lastAnswer = `Stop: ${direction.reason} Try no further step. Carry out the teardown section if you were asked to, then end now with a short summary. Write no result log.`
    } else if (direction.kind === 'finish' || this.#nextStep === undefined) {
      // The agent's closing words become the body of the result log.
      this.#lastAnswer =
        'All steps are in. Carry out the teardown section if you were asked to, then end with a short summary of what you did. Write no result log.'
    }
    this.#changes.notify()
  }

  get #nextStep(): string | undefined {
    return this.#options.steps[this.accepted.length]
  }

  /** Keeps refused reports up to a limit. One failing report stands for all reports beyond the limit. */
  #refuse(report: StepReport): void {
    const kept = withoutWords(report)
    if (this.refused.length < maxRefused) this.refused.push(kept)
    else if (this.refused.length === maxRefused) this.refused.push({ ...kept, status: 'fail', observed: tooMany })
  }

  #problemOf({ id }: StepResult): string | undefined {
    const { steps } = this.#options
    const index = steps.indexOf(id)
    const expected = this.#nextStep
    const next = expected === undefined ? ' Call `next_step`.' : ` Try and report \`${expected}\` now.`
    if (this.#lastAnswer !== undefined) return `, because nothing more is to be reported. ${this.#lastAnswer}`
    if (index === -1)
      return `: there is no such step. The steps are ${steps.map((step) => `\`${step}\``).join(', ')}.${next}`
    if (index < this.accepted.length) return `: this step is reported already, and a report cannot be changed.${next}`
    if (this.isChecking)
      return ': mdtest still checks the step before. Call `next_step`, try the step that its answer names, and report it then.'
    return id === expected ? undefined : `: steps are reported in their order.${next}`
  }

  #direction(): string | undefined {
    if (this.isChecking) return undefined
    return this.#lastAnswer ?? `Go on with the step \`${this.#nextStep}\`: try it, then report it.`
  }
}

/** Drops the evidence of a refused report: only its result can contradict an accepted report. */
function withoutWords({ id, status, checks = [], at }: StepReport): StepReport {
  // Sort failed checks first, so that the limit drops passed checks.
  const badFirst = checks.toSorted((a, b) => Number(a.status === 'pass') - Number(b.status === 'pass'))
  const kept = badFirst.slice(0, maxKeptChecks).map(({ evidence: _evidence, observed: _observed, ...check }) => check)
  return { id: cutLine(id, 500), status, at, checks: kept }
}

const tooMany = 'So many reports of the agent were refused that they were not looked at any more.'
