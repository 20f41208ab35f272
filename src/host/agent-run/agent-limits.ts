import type { CommandEnd } from '../../system/process/command.ts'
import type { AgentEnding } from '../../verdict/verdict.ts'
import type { StepTimeout } from '../protocol/protocol.ts'
import type { BudgetWatch } from './budget.ts'

const defaultClosingMs = 60_000

interface LimitsOptions {
  readonly name: string
  readonly budget: Pick<BudgetWatch, 'signal' | 'overrunMessage'>
  readonly interruption: AbortSignal
}

/** Ends an agent for what its command knows no limit of: its budget, the time of one step, the time after its work. */
export class AgentLimits {
  readonly signal: AbortSignal
  readonly #options: LimitsOptions
  /** Ends an agent that is done and does not end by itself. */
  readonly #closing = new AbortController()
  #closingTimer: NodeJS.Timeout | undefined
  /** Ends an agent that takes too long for one step. */
  readonly #overtime = new AbortController()
  #exceeded: StepTimeout | undefined

  constructor(options: LimitsOptions) {
    const { interruption, budget } = options
    this.#options = options
    this.signal = AbortSignal.any([interruption, this.#closing.signal, budget.signal, this.#overtime.signal])
  }

  /** Starts the clock of a step. Call the result to stop it. */
  beginStep(limit: StepTimeout): () => void {
    const timer = setTimeout(() => {
      this.#exceeded = limit
      this.#overtime.abort()
    }, limit.leftMs)
    return () => clearTimeout(timer)
  }

  /** Whether the time after its work has begun. */
  get isClosing(): boolean {
    return this.#closingTimer !== undefined
  }

  /** The agent is done: gives it so many milliseconds to end by itself. */
  closeAfter(ms = defaultClosingMs): void {
    clearTimeout(this.#closingTimer)
    this.#closingTimer = setTimeout(() => this.#closing.abort(), ms)
    this.#closingTimer.unref()
  }

  close(): void {
    clearTimeout(this.#closingTimer)
  }

  /** How it ended, for the verdict. An agent that was done when we ended it did not leave its work unfinished. */
  endingOf(end: CommandEnd): AgentEnding {
    const { name, budget, interruption } = this.#options
    const { overrunMessage } = budget
    if (overrunMessage !== undefined) {
      return { kind: 'over-budget', message: `The agent \`${name}\` is over budget: ${overrunMessage}` }
    }
    const isCanceled = end.reason === 'canceled' && !interruption.aborted
    if (this.#exceeded && isCanceled) {
      const { limitMs, step } = this.#exceeded
      return { kind: 'step-timeout', limitMs, step }
    }
    const isOurs = isCanceled && this.#closing.signal.aborted
    return isOurs ? { kind: 'killed', signal: 'SIGTERM', isOurs } : endingOf(end)
  }
}

/** How its process ended, for the verdict. */
function endingOf(end: CommandEnd): AgentEnding {
  switch (end.reason) {
    case 'exit':
      return { kind: 'exited', exitCode: end.exitCode }
    case 'signal':
      return { kind: 'killed', signal: end.signal }
    case 'hard-timeout':
    case 'silence-timeout':
      return { kind: end.reason, limitMs: end.limitMs }
    case 'canceled':
      return { kind: 'canceled' }
    case 'spawn-failed':
      return { kind: 'not-found', message: end.error.message }
    case 'lost':
      return { kind: 'lost', message: end.error.message }
    default:
      return end satisfies never
  }
}
