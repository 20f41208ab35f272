import type { AgentEvent } from '../../agents/agent.ts'
import { describeOverrun, type Budgets } from './budget.ts'
import type { Account, Spending } from './spending.ts'
import type { Spent } from '../../records/agent-usage.ts'

/** Adds up what one agent uses, from its event stream. */
export class UsageMeter {
  readonly #requests = new Map<string, Extract<AgentEvent, { type: 'tokens' }>>()
  #total: Extract<AgentEvent, { type: 'usage' }> | undefined
  #model: string | undefined

  /** What is known so far. Before the end it may be too little, never too much. */
  get spent(): Spent {
    const { costUsd, turns } = this.#total ?? {}
    return {
      ...(this.#total ? tokens(this.#total) : this.#sumOfRequests()),
      ...(costUsd !== undefined && { costUsd }),
      ...(turns !== undefined && { turns }),
      ...(this.#model !== undefined && { model: this.#model }),
    }
  }

  onEvent(event: AgentEvent): void {
    if (event.type === 'usage') this.#total = event
    if (event.type === 'tokens') this.#requests.set(event.id, event)
    if (event.type === 'opened') this.#model ??= event.model
  }

  #sumOfRequests(): Tokens {
    const all = [...this.#requests.values()]
    const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)
    const cached = all.flatMap(({ cachedInputTokens }) => cachedInputTokens ?? [])
    return {
      inputTokens: sum(all.map(({ inputTokens }) => inputTokens)),
      outputTokens: sum(all.map(({ outputTokens }) => outputTokens)),
      ...(cached.length > 0 && { cachedInputTokens: sum(cached) }),
    }
  }
}

type Tokens = Pick<Spent, 'inputTokens' | 'outputTokens' | 'cachedInputTokens'>

function tokens({ inputTokens, outputTokens, cachedInputTokens }: Spent): Tokens {
  return { inputTokens, outputTokens, ...(cachedInputTokens !== undefined && { cachedInputTokens }) }
}

interface WatchOptions {
  readonly budgets: Budgets
  /** What all agents of the run use. */
  readonly spending: Spending
}

/** Counts what one agent uses, for itself and for its run. Says when that is over a budget. */
export class BudgetWatch {
  readonly #options: WatchOptions
  readonly #meter = new UsageMeter()
  readonly #overrun = new AbortController()
  #account: Account | undefined
  #overrunMessage: string | undefined

  constructor(options: WatchOptions) {
    this.#options = options
  }

  /** Aborted once the agent is over a budget. */
  get signal(): AbortSignal {
    return this.#overrun.signal
  }

  /** Which budget the agent is over, by how much, and what to do; nothing while it is within. */
  get overrunMessage(): string | undefined {
    return this.#overrunMessage
  }

  get spent(): Spent {
    return this.#meter.spent
  }

  /**
   * The agent was started: from here on it counts for its run.
   * @param scenario names it within the run, whatever the attempt
   */
  begin(scenario: string): void {
    this.#account = this.#options.spending.open(scenario)
  }

  /** A limit that is reached and not passed stops only an agent that says so itself. */
  onEvent(event: AgentEvent): void {
    const { budgets, spending } = this.#options
    this.#meter.onEvent(event)
    this.#account?.write(this.spent)
    const when = event.type === 'error' && event.cause === 'budget' ? 'reached' : 'passed'
    this.#overrunMessage ??= describeOverrun({ scenario: this.spent, run: spending.total }, { budgets, when })
    if (this.#overrunMessage !== undefined) this.#overrun.abort()
  }
}
