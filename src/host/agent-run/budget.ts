import type { AgentEvent } from '../../agents/agent.ts'
import { formatCost, sumUsage, tokensOf, type AgentUsage, type Spent } from '../../records/tokens-and-cost.ts'
import type { GuardedFiles } from '../guard/guarded-places.ts'

export interface Budget {
  readonly maxCostUsd?: number | undefined
  readonly maxTokens?: number | undefined
}

export interface Budgets {
  readonly scenario: Budget
  readonly run: Budget
}

export function describeUsedUp(used: Spent, budget: Budget): string | undefined {
  const reached = overrun(used, budget, { names: ofRun, isOverAtLimit: true })
  return reached && `No agent was started: ${reached}`
}

export function remainingCostUsd({ scenario, run }: Budgets, usedByRun: Spent): number | undefined {
  const left = Math.min(scenario.maxCostUsd ?? Infinity, (run.maxCostUsd ?? Infinity) - (usedByRun.costUsd ?? 0))
  return left === Infinity ? undefined : left
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

function overrun(
  used: Spent,
  { maxCostUsd = Infinity, maxTokens = Infinity }: Budget,
  { names, isOverAtLimit }: { readonly names: typeof ofScenario; readonly isOverAtLimit: boolean },
): string | undefined {
  const { costUsd = 0 } = used
  const tokens = tokensOf(used)
  const limits = [
    { has: `cost ${formatCost(costUsd)}`, count: costUsd, limit: maxCostUsd, name: names.maxCostUsd, show: formatCost },
    { has: `used ${tokens} tokens`, count: tokens, limit: maxTokens, name: names.maxTokens, show: String },
  ]
  // Rounded, because costs are sums of floating-point fractions.
  const excesses = limits.map((one) => ({ ...one, excess: Math.round((one.count - one.limit) * 1e9) / 1e9 }))
  const over = excesses.find(({ excess }) => excess > 0 || (isOverAtLimit && excess === 0))
  if (over === undefined) return undefined
  const { has, excess, limit, name, show } = over
  const by = excess === 0 ? 'all of' : `${show(excess)} over`
  return `${names.whose} has ${has}, ${by} \`${name}\` (${show(limit)}). ${names.wayOut}`
}

export interface RunUsage extends Pick<AgentUsage, 'inputTokens' | 'outputTokens'> {
  readonly scenarios: number
  readonly agents: number
  /** Cost of the agents that report a cost; absent if none does. */
  readonly costUsd?: number
  readonly withoutCost: number
  readonly guarded?: GuardedFiles
}

export class Spending {
  #agents: { readonly scenario: string; spent: Spent }[] = []

  reset(): void {
    this.#agents = []
  }

  /** Counts one more agent for the scenario. Pass the agent's total usage so far to the returned function. */
  open(scenario: string): (spent: Spent) => void {
    const agent = { scenario, spent: { inputTokens: 0, outputTokens: 0 } }
    this.#agents.push(agent)
    return (spent) => {
      agent.spent = spent
    }
  }

  get total(): RunUsage {
    const all = this.#agents.map(({ spent }) => spent)
    const { inputTokens, outputTokens, costUsd } = added(all)
    return {
      scenarios: new Set(this.#agents.map(({ scenario }) => scenario)).size,
      agents: all.length,
      inputTokens,
      outputTokens,
      ...(costUsd !== undefined && { costUsd }),
      withoutCost: all.filter((spent) => spent.costUsd === undefined).length,
    }
  }
}

export class BudgetWatch {
  readonly #budgets: Budgets
  readonly #spending: Spending
  readonly #over = new AbortController()
  readonly signal: AbortSignal = this.#over.signal
  overrunMessage: string | undefined
  readonly #requests = new Map<string, Extract<AgentEvent, { type: 'tokens' }>>()
  #total: Extract<AgentEvent, { type: 'usage' }> | undefined
  #model: string | undefined
  #tell: ((spent: Spent) => void) | undefined

  constructor(budgets: Budgets, spending: Spending) {
    this.#budgets = budgets
    this.#spending = spending
  }

  /** Usage known so far. Until the agent has ended, the numbers may be too low but never too high. */
  get spent(): Spent {
    const spent = added(this.#total ? [this.#total] : [...this.#requests.values()])
    return { ...spent, ...(this.#model !== undefined && { model: this.#model }) }
  }

  begin(scenario: string): void {
    this.#tell = this.#spending.open(scenario)
  }

  /** An agent at exactly the limit is over budget only if it reports a budget error. */
  onEvent(event: AgentEvent): void {
    if (event.type === 'usage') this.#total = event
    if (event.type === 'tokens') this.#requests.set(event.id, event)
    if (event.type === 'opened') this.#model ??= event.model
    const { spent } = this
    this.#tell?.(spent)
    const isOverAtLimit = event.type === 'error' && event.cause === 'budget'
    const { scenario, run } = this.#budgets
    this.overrunMessage ??=
      overrun(spent, scenario, { names: ofScenario, isOverAtLimit }) ??
      overrun(this.#spending.total, run, { names: ofRun, isOverAtLimit })
    if (this.overrunMessage !== undefined) this.#over.abort()
  }
}

function added(all: readonly Spent[]): Spent {
  const { durationMs: _none, ...spent } = sumUsage(all.map((one) => ({ ...one, durationMs: 0 })))
  return spent
}
