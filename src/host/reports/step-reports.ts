import type { StepReport, StepResult } from '../../records/result-log/result-log.ts'
import type { Direction } from '../protocol/protocol.ts'
import * as say from './report-answers.ts'
import { Condition } from '../../system/concurrency.ts'
import { cutLine } from '../../system/text/plain-text.ts'

/** What a tool call of the agent gives. */
export interface Answer {
  readonly text: string
  readonly isError: boolean
}

/** How a tool call of the agent came. */
export interface Arrival {
  /** When, in milliseconds on the clock of `performance`. */
  readonly atMs: number
  /** TCP port of the agent's end of the connection. */
  readonly port?: number | undefined
}

interface StepReportsOptions {
  /** Ids of the steps that were asked for, in order. */
  readonly steps: readonly string[]
  readonly now: () => Date
  /** Longest time a call waits for its answer, in milliseconds from its arrival. */
  readonly maxWaitMs?: number
}

type State =
  /** The agent tries the step at this index. */
  | { readonly kind: 'working'; readonly index: number }
  /** The step at this index is reported; the worker runs blocks. */
  | { readonly kind: 'checking'; readonly index: number }
  | { readonly kind: 'over'; readonly answer: string }

/** Codex in code mode gives up on calls of some 30 s. */
const defaultMaxWaitMs = 20_000

/** How often a report is given back for want of proof. */
const maxGivenBack = 2

/**
 * Takes the reports of one scenario, in the order of its steps, and tells the agent what comes next. What it refuses
 * is kept all the same.
 */
export class StepReports {
  readonly #options: StepReportsOptions
  readonly #accepted: StepReport[] = []
  #weigh: ((result: StepResult) => Promise<string | undefined>) | undefined
  /** By step, how often a report of it was given back. */
  readonly #givenBack = new Map<string, number>()
  #givenBackLast: StepReport | undefined
  #onCall: (() => void) | undefined
  #onReport: ((isAccepted: boolean) => void) | undefined
  #onLate: ((port: number | undefined) => void) | undefined
  #state: State = { kind: 'working', index: 0 }
  readonly #changes = new Condition()
  readonly #refused = new RefusedReports()

  constructor(options: StepReportsOptions) {
    this.#options = options
  }

  get accepted(): readonly StepReport[] {
    return this.#accepted
  }

  /** Reports that came twice, too late, out of order, for an unknown step or with too much in them: without evidence or repetitions. */
  get refused(): readonly StepReport[] {
    return this.#refused.all
  }

  get stepUnderWay(): string | undefined {
    return this.#state.kind === 'working' ? this.#options.steps[this.#state.index] : undefined
  }

  /** Whether the agent waits for mdtest and not the other way round. */
  get isChecking(): boolean {
    return this.#state.kind === 'checking'
  }

  /** Whether nothing more is expected of the agent. */
  get isOver(): boolean {
    return this.#state.kind === 'over'
  }

  /** Calls the listener with every call of the agent; there is one listener. */
  whenCalled(listener: () => void): void {
    this.#onCall = listener
  }

  /** Calls the listener with every report, taken or refused; there is one listener. */
  whenReported(listener: (isAccepted: boolean) => void): void {
    this.#onReport = listener
  }

  /** Calls the listener with every call that is answered before there is anything to say; there is one listener. */
  whenLate(listener: (port: number | undefined) => void): void {
    this.#onLate = listener
  }

  /** Has what a pass rests on looked up before its report is taken; gives why it is not proved. There is one listener. */
  weighWith(weigh: (result: StepResult) => Promise<string | undefined>): void {
    this.#weigh = weigh
  }

  /** The agent reports a step. The answer comes when the blocks behind it ran, or after a while. */
  async report(result: StepResult, arrival = arrivedNow()): Promise<Answer> {
    this.#onCall?.()
    const report = { ...result, at: this.#options.now().toISOString() }
    if (this.#isWeighed(result)) {
      const weakness = await this.#weaknessOf(result)
      if (weakness !== undefined) {
        this.#givenBackLast = { ...result, at: this.#options.now().toISOString() }
        return { text: weakness, isError: true }
      }
    }
    const problem = this.#problemOf(result)
    this.#onReport?.(problem === undefined)
    if (problem !== undefined) {
      this.#refused.add(report)
      return { text: problem, isError: true }
    }
    this.#accepted.push(report)
    this.#givenBackLast = undefined
    this.#enter({ kind: 'checking', index: this.#accepted.length - 1 })
    return this.#directionWithin(arrival)
  }

  async next(arrival = arrivedNow()): Promise<Answer> {
    this.#onCall?.()
    return this.#directionWithin(arrival)
  }

  /** The agent has ended: a report that was given back and never came again is taken as it was. */
  end(): void {
    if (this.#givenBackLast !== undefined) this.#accepted.push(this.#givenBackLast)
    this.#givenBackLast = undefined
  }

  /** Waits for the report with this number, counted from 1. */
  accepts(count: number): Promise<StepReport> {
    return this.#changes.waitFor(() => this.#accepted[count - 1])
  }

  /** Answers the agent. Without effect once the scenario is over. */
  direct(direction: Direction): void {
    if (this.isOver) return
    const index = this.#accepted.length
    if (direction.kind === 'stop') this.#enter({ kind: 'over', answer: say.stop(direction.reason) })
    else if (direction.kind === 'finish' || index >= this.#options.steps.length)
      this.#enter({ kind: 'over', answer: say.finish() })
    else this.#enter({ kind: 'working', index })
  }

  /** A report that proves nothing is given back twice, and then taken as it is. */
  #isWeighed(result: StepResult): boolean {
    const isOften = (this.#givenBack.get(result.id) ?? 0) >= maxGivenBack
    return this.#weigh !== undefined && result.status === 'pass' && !isOften && this.#problemOf(result) === undefined
  }

  async #weaknessOf(result: StepResult): Promise<string | undefined> {
    const weakness = await this.#weigh?.(result)
    if (weakness === undefined || this.#problemOf(result) !== undefined) return undefined
    this.#givenBack.set(result.id, (this.#givenBack.get(result.id) ?? 0) + 1)
    return say.givenBack(result.id, weakness)
  }

  #enter(state: State): void {
    this.#state = state
    this.#changes.notify()
  }

  #problemOf(result: StepResult): string | undefined {
    const { id } = result
    const { steps } = this.#options
    const index = steps.indexOf(id)
    const expected = steps[this.#accepted.length]
    if (this.#state.kind === 'over') return say.refusedAtEnd(id, this.#state.answer)
    if (index === -1) return say.unknown(id, { steps, expected })
    if (index < this.#accepted.length) return say.twice(id, expected)
    if (this.#state.kind === 'checking') return say.tooEarly(id)
    if (id !== expected) return say.outOfOrder(id, expected)
    const excess = overLimit(result)
    return excess === undefined ? undefined : say.tooMuch(id, excess)
  }

  async #directionWithin({ atMs, port }: Arrival): Promise<Answer> {
    const limitMs = (this.#options.maxWaitMs ?? defaultMaxWaitMs) - (performance.now() - atMs)
    const text = await this.#changes.waitFor(() => this.#direction(), Math.max(0, limitMs))
    if (text === undefined) this.#onLate?.(port)
    return { text: text ?? say.stillChecking(), isError: false }
  }

  /** What the agent is to do; nothing while it has to wait. */
  #direction(): string | undefined {
    if (this.isChecking) return undefined
    return this.#state.kind === 'over' ? this.#state.answer : say.goOn(this.#options.steps[this.#state.index])
  }
}

function arrivedNow(): Arrival {
  return { atMs: performance.now() }
}

/** What one report may hold: far more than an agent says, and little enough to be looked at at once. */
const reportLimits = {
  /** Files and quotes, of the step and of all its checks. */
  citations: 500,
  /** Of a quote or the name of a file, like the next in UTF-16 code units. */
  citationCharacters: 10_000,
  observedCharacters: 10_000,
  checks: 1_000,
}

/** What is over a limit, and what to do; nothing where all is within them. */
function overLimit({ observed, evidence = [], checks = [] }: StepResult): string | undefined {
  const { citations, citationCharacters, observedCharacters } = reportLimits
  const cited = [...evidence, ...checks.flatMap((check) => check.evidence ?? [])]
  if (checks.length > reportLimits.checks) {
    return `it has ${checks.length} checks, more than ${reportLimits.checks}. Report the checks of the step, each once.`
  }
  if (cited.length > citations) {
    return `it cites ${cited.length} files and quotes, more than ${citations}; none was looked at. Cite one or two for the step and for each check.`
  }
  if (cited.some((one) => (typeof one === 'string' ? one : one.quote).length > citationCharacters)) {
    return `a citation has more than ${citationCharacters} characters; none was looked at. Quote a line, or save the text in the evidence folder and cite the file.`
  }
  if ([observed, ...checks.map((check) => check.observed)].some((text = '') => text.length > observedCharacters)) {
    return `an \`observed\` has more than ${observedCharacters} characters. Say in one sentence what you saw.`
  }
  return undefined
}

/** Repetitions say nothing new, and an agent may go on with them for ever. */
const maxRefused = 100

/** Reports that were refused: each different one once, without what it cites. */
class RefusedReports {
  readonly #all = new Map<string, StepReport>()

  get all(): readonly StepReport[] {
    return [...this.#all.values()]
  }

  add({ id, status, observed = '', checks = [], at }: StepReport): void {
    // Reports that are not kept must not speak for the agent: the last one that is kept speaks against it.
    const isLast = this.#all.size === maxRefused
    const result: StepResult = {
      id: cutLine(id, 500),
      status: isLast ? 'fail' : status,
      observed: isLast ? tooMany : cutLine(observed, 500),
      // Checks that did not pass come first: no limit drops them before others.
      checks: checks
        .toSorted((a, b) => Number(a.status === 'pass') - Number(b.status === 'pass'))
        .slice(0, reportLimits.checks)
        .map(({ n, line, status: of }) => ({ ...(n && { n }), ...(line && { line }), status: of })),
    }
    const text = JSON.stringify(result)
    if (this.#all.size <= maxRefused && !this.#all.has(text)) this.#all.set(text, { ...result, at })
  }
}

const tooMany = 'So many reports of the agent were refused that they were not looked at any more.'
