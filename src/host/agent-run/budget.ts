import type { AgentEvent } from '../../agents/agent.ts'
import { formatCost, tokensOf, type AgentUsage, type Spent } from '../../records/agent-usage.ts'
import type { GuardedFiles } from '../guard/guarded-places.ts'

/** What agents may use. An absent limit is no limit. */
export interface Budget {
  /** US dollars, above 0. */
  readonly maxCostUsd?: number | undefined
  /** Tokens in and out together, from 1. */
  readonly maxTokens?: number | undefined
}

/** The limits of one scenario, and those of all scenarios of a run together. */
export interface Budgets {
  readonly scenario: Budget
  readonly run: Budget
}

type Used = Pick<Spent, 'inputTokens' | 'outputTokens' | 'costUsd'>

/** Why no more agents start: the budget of the run is used up. */
export function describeUsedUp(used: Used, budget: Budget): string | undefined {
  const reached = overrun(used, budget, { names: ofRun, isOverAtLimit: true })
  return reached === undefined ? undefined : `No agent was started: ${reached}`
}

/** What an agent may cost that starts now, in US dollars; nothing without a limit. */
export function remainingCostUsd({ scenario, run }: Budgets, usedByRun: Used): number | undefined {
  const left = run.maxCostUsd === undefined ? undefined : run.maxCostUsd - (usedByRun.costUsd ?? 0)
  const limits = [scenario.maxCostUsd, left].flatMap((limit) => limit ?? [])
  return limits.length === 0 ? undefined : Math.min(...limits)
}

const ofScenario = {
  whose: 'this scenario',
  maxCostUsd: 'maxCostUsd',
  maxTokens: 'maxTokens',
  wayOut: "Raise it in the spec's front matter or in the options, or make the scenario smaller.",
}
const ofRun: typeof ofScenario = {
  whose: 'the run',
  maxCostUsd: 'maxRunCostUsd',
  maxTokens: 'maxRunTokens',
  wayOut: 'Raise it in the options, or run fewer specs at once.',
}

/** Costs are sums of fractions: a smaller difference is none. */
const smallestUsd = 1e-9

/** Which limit is exceeded, by how much, and what to do; nothing where none is. */
function overrun(
  used: Used,
  { maxCostUsd = Infinity, maxTokens = Infinity }: Budget,
  { names, isOverAtLimit }: { readonly names: typeof ofScenario; readonly isOverAtLimit: boolean },
): string | undefined {
  const { costUsd = 0 } = used
  const isOver = (excess: number): boolean => excess > 0 || (isOverAtLimit && excess === 0)
  const difference = costUsd - maxCostUsd
  const excessUsd = Math.abs(difference) <= smallestUsd ? 0 : difference
  if (isOver(excessUsd)) {
    const by = excessUsd === 0 ? 'all of' : `${formatCost(excessUsd)} over`
    return `${names.whose} has cost ${formatCost(costUsd)}, ${by} \`${names.maxCostUsd}\` (${formatCost(maxCostUsd)}). ${names.wayOut}`
  }
  const tokens = tokensOf(used)
  const excess = tokens - maxTokens
  if (!isOver(excess)) return undefined
  const by = excess === 0 ? 'all of' : `${excess} over`
  return `${names.whose} has used ${tokens} tokens, ${by} \`${names.maxTokens}\` (${maxTokens}). ${names.wayOut}`
}

/** What all agents of a run used. */
export interface RunUsage extends Pick<AgentUsage, 'inputTokens' | 'outputTokens'> {
  /** Scenarios that an agent was started for. */
  readonly scenarios: number
  /** Agents that were started. Retries make them more than scenarios. */
  readonly agents: number
  /** In US dollars, of the agents that tell their cost; absent where none does. */
  readonly costUsd?: number
  readonly withoutCost: number
  readonly guarded?: GuardedFiles
}

/** Adds up what all agents of one run use. */
export class Spending {
  #agents: { readonly scenario: string; spent: Spent }[] = []

  reset(): void {
    this.#agents = []
  }

  /**
   * Counts one more agent. Its function takes all that the agent has used so far.
   * @param scenario names it within the run, whatever the attempt
   */
  open(scenario: string): (spent: Spent) => void {
    const agent = { scenario, spent: { inputTokens: 0, outputTokens: 0 } }
    this.#agents.push(agent)
    return (spent) => {
      agent.spent = spent
    }
  }

  get total(): RunUsage {
    const all = this.#agents.map(({ spent }) => spent)
    const costs = all.flatMap(({ costUsd }) => costUsd ?? [])
    return {
      scenarios: new Set(this.#agents.map(({ scenario }) => scenario)).size,
      agents: all.length,
      inputTokens: sum(all.map(({ inputTokens }) => inputTokens)),
      outputTokens: sum(all.map(({ outputTokens }) => outputTokens)),
      ...(costs.length > 0 && { costUsd: sum(costs) }),
      withoutCost: all.length - costs.length,
    }
  }
}

/** Counts what one agent uses, for itself and for its run. Says when that is over a budget. */
export class BudgetWatch {
  readonly #budgets: Budgets
  readonly #spending: Spending
  readonly #overrun = new AbortController()
  readonly #requests = new Map<string, Extract<AgentEvent, { type: 'tokens' }>>()
  #total: Extract<AgentEvent, { type: 'usage' }> | undefined
  #model: string | undefined
  #tell: ((spent: Spent) => void) | undefined
  #overrunMessage: string | undefined

  /** @param spending what all agents of the run use */
  constructor(budgets: Budgets, spending: Spending) {
    this.#budgets = budgets
    this.#spending = spending
  }

  /** Aborted once the agent is over a budget. */
  get signal(): AbortSignal {
    return this.#overrun.signal
  }

  /** Which budget the agent is over, by how much, and what to do; nothing while it is within. */
  get overrunMessage(): string | undefined {
    return this.#overrunMessage
  }

  /** What is known so far. Before the end it may be too little, never too much. */
  get spent(): Spent {
    const all = this.#total ? [this.#total] : [...this.#requests.values()]
    const { costUsd, turns } = this.#total ?? {}
    const cached = all.flatMap(({ cachedInputTokens }) => cachedInputTokens ?? [])
    return {
      inputTokens: sum(all.map(({ inputTokens }) => inputTokens)),
      outputTokens: sum(all.map(({ outputTokens }) => outputTokens)),
      ...(cached.length > 0 && { cachedInputTokens: sum(cached) }),
      ...(costUsd !== undefined && { costUsd }),
      ...(turns !== undefined && { turns }),
      ...(this.#model !== undefined && { model: this.#model }),
    }
  }

  /**
   * The agent was started: from here on it counts for its run.
   * @param scenario names it within the run, whatever the attempt
   */
  begin(scenario: string): void {
    this.#tell = this.#spending.open(scenario)
  }

  /** At the limit an agent is over it only where the agent says so itself. */
  onEvent(event: AgentEvent): void {
    if (event.type === 'usage') this.#total = event
    if (event.type === 'tokens') this.#requests.set(event.id, event)
    if (event.type === 'opened') this.#model ??= event.model
    const { spent } = this
    this.#tell?.(spent)
    const isOverAtLimit = event.type === 'error' && event.cause === 'budget'
    const { scenario, run } = this.#budgets
    this.#overrunMessage ??=
      overrun(spent, scenario, { names: ofScenario, isOverAtLimit }) ??
      overrun(this.#spending.total, run, { names: ofRun, isOverAtLimit })
    if (this.#overrunMessage !== undefined) this.#overrun.abort()
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}
