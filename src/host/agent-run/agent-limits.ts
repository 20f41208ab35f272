import type { CommandEnd } from '../../system/process/command.ts'
import type { AgentEnding } from '../../verdict/verdict.ts'
import type { StepTimeout } from '../protocol/protocol.ts'
import type { BudgetWatch } from './budget-watch.ts'

/** Time for closing words, in milliseconds, where none is said. */
const defaultClosingMs = 60_000

interface LimitsOptions {
  /** Name of the agent. */
  readonly name: string
  readonly budget: Pick<BudgetWatch, 'signal' | 'overrunMessage'>
  /** Interrupts the run. */
  readonly interruption: AbortSignal
}

/** What ends an agent besides the limits of its command: a budget, the time for one step, the time after its work. */
export class AgentLimits {
  /** Ends the agent's program. */
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

  /** The time for a step begins. Gives what stops the clock. */
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

  /** The agent is done: it has this time to end by itself, in milliseconds from now. */
  closeAfter(ms = defaultClosingMs): void {
    clearTimeout(this.#closingTimer)
    this.#closingTimer = setTimeout(() => this.#closing.abort(), ms)
    this.#closingTimer.unref()
  }

  /** The agent has ended. */
  close(): void {
    clearTimeout(this.#closingTimer)
  }

  /** How it ended, in the words of the verdict: one that was done when we ended it did not leave its work unfinished. */
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

/** How an agent's process ended, in the words of the verdict. */
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
