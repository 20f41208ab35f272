import { formatCost, tokensOf, type AgentUsage } from '../../records/agent-usage.ts'

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

type Spent = Pick<AgentUsage, 'inputTokens' | 'outputTokens' | 'costUsd'>

/** Whether a limit counts once it is reached, or once it is passed. */
type When = 'reached' | 'passed'

/** In US dollars. Costs are sums of fractions: a smaller difference is none. */
const smallestUsd = 1e-9

/** Which budget is exceeded, by how much, and what to do; nothing where none is. */
export function describeOverrun(
  spent: { readonly scenario: Spent; readonly run: Spent },
  { budgets, when }: { readonly budgets: Budgets; readonly when: When },
): string | undefined {
  return (
    overrun(spent.scenario, budgets.scenario, { names: ofScenario, when }) ??
    overrun(spent.run, budgets.run, { names: ofRun, when })
  )
}

/** Why no more agents start: the budget of the run is used up. */
export function describeUsedUp(spent: Spent, budget: Budget): string | undefined {
  const reached = overrun(spent, budget, { names: ofRun, when: 'reached' })
  return reached === undefined ? undefined : `No agent was started: ${reached}`
}

/** What an agent may cost that starts now, in US dollars; nothing without a limit. */
export function remainingCostUsd({ scenario, run }: Budgets, spentByRun: Spent): number | undefined {
  const left = run.maxCostUsd === undefined ? undefined : run.maxCostUsd - (spentByRun.costUsd ?? 0)
  const limits = [scenario.maxCostUsd, left].flatMap((limit) => limit ?? [])
  return limits.length === 0 ? undefined : Math.min(...limits)
}

/** The names of the limits for the user. */
interface Names {
  readonly whose: string
  readonly maxCostUsd: string
  readonly maxTokens: string
  readonly wayOut: string
}

const ofScenario: Names = {
  whose: 'this scenario',
  maxCostUsd: 'maxCostUsd',
  maxTokens: 'maxTokens',
  wayOut: "Raise it in the spec's front matter or in the options, or make the scenario smaller.",
}
const ofRun: Names = {
  whose: 'the run',
  maxCostUsd: 'maxRunCostUsd',
  maxTokens: 'maxRunTokens',
  wayOut: 'Raise it in the options, or run fewer specs at once.',
}

function overrun(
  spent: Spent,
  { maxCostUsd, maxTokens }: Budget,
  { names, when }: { readonly names: Names; readonly when: When },
): string | undefined {
  const overUsd = (spent.costUsd ?? 0) - (maxCostUsd ?? Infinity)
  if (overUsd > smallestUsd || (when === 'reached' && overUsd >= -smallestUsd)) {
    const limit = `\`${names.maxCostUsd}\` (${formatCost(maxCostUsd ?? 0)})`
    return `${names.whose} has cost ${formatCost(spent.costUsd ?? 0)}, ${over(overUsd, limit)}. ${names.wayOut}`
  }
  const overTokens = tokensOf(spent) - (maxTokens ?? Infinity)
  if (overTokens < 0 || (when === 'passed' && overTokens === 0)) return undefined
  const by = overTokens === 0 ? 'all of' : `${overTokens} over`
  return `${names.whose} has used ${tokensOf(spent)} tokens, ${by} \`${names.maxTokens}\` (${maxTokens}). ${names.wayOut}`
}

function over(usd: number, limit: string): string {
  return usd <= smallestUsd ? `all of ${limit}` : `${formatCost(usd)} over ${limit}`
}
