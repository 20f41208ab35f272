export interface AgentUsage {
  /** Tokens that went in, cached ones included. */
  readonly inputTokens: number
  readonly outputTokens: number
  /** Of the input tokens, what the provider had in its cache; absent where the agent's program does not say. */
  readonly cachedInputTokens?: number
  /** US dollars, as the agent's program reckons them; absent where it does not say. */
  readonly costUsd?: number
  /** Requests to the model; absent where the agent's program does not say. */
  readonly turns?: number
  readonly model?: string
  readonly durationMs: number
}

export type Spent = Omit<AgentUsage, 'durationMs'>

/** The same as it is told: tokens are absent where the agent's program does not say what it used. */
export type ToldUsage = Omit<AgentUsage, 'inputTokens' | 'outputTokens'> &
  Partial<Pick<AgentUsage, 'inputTokens' | 'outputTokens'>>

/** Leaves out what is not known: nothing was not used. */
export function toldUsage({ inputTokens, outputTokens, ...rest }: AgentUsage): ToldUsage {
  const isKnown = inputTokens + outputTokens > 0 || rest.costUsd !== undefined
  return isKnown ? { inputTokens, outputTokens, ...rest } : rest
}

export function countedUsage({ inputTokens = 0, outputTokens = 0, ...rest }: ToldUsage): AgentUsage {
  return { inputTokens, outputTokens, ...rest }
}

export function sumUsage(usages: readonly AgentUsage[]): AgentUsage {
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)
  const costs = usages.flatMap(({ costUsd }) => costUsd ?? [])
  const cached = usages.flatMap(({ cachedInputTokens }) => cachedInputTokens ?? [])
  const turns = usages.flatMap((usage) => usage.turns ?? [])
  const model = usages.find((usage) => usage.model !== undefined)?.model
  return {
    inputTokens: sum(usages.map(({ inputTokens }) => inputTokens)),
    outputTokens: sum(usages.map(({ outputTokens }) => outputTokens)),
    ...(cached.length > 0 && { cachedInputTokens: sum(cached) }),
    ...(costs.length > 0 && { costUsd: sum(costs) }),
    ...(turns.length > 0 && { turns: sum(turns) }),
    ...(model !== undefined && { model }),
    durationMs: sum(usages.map(({ durationMs }) => durationMs)),
  }
}

export function tokensOf({ inputTokens, outputTokens }: Pick<AgentUsage, 'inputTokens' | 'outputTokens'>): number {
  return inputTokens + outputTokens
}

/** `1.2 M tokens in (1 M cached), 30 k out, $0.42`; `usage unknown` where the agent's program did not say. */
export function formatSpent(usage: Omit<AgentUsage, 'durationMs'>): string {
  const { inputTokens, outputTokens, cachedInputTokens = 0, costUsd } = usage
  if (inputTokens + outputTokens === 0 && costUsd === undefined) return 'usage unknown'
  const cost = costUsd === undefined ? [] : [formatCost(costUsd)]
  const cached = cachedInputTokens === 0 ? '' : ` (${formatCount(cachedInputTokens)} cached)`
  return [`${formatCount(inputTokens)} tokens in${cached}`, `${formatCount(outputTokens)} out`, ...cost].join(', ')
}

const units = ['', ' k', ' M', ' G']

/** `999`, `1.2 k`, `30 k`, `1.2 M`. */
function formatCount(count: number): string {
  // 999.5 k would be rounded to four figures.
  const power = [999.5, 999_500, 999_500_000].filter((limit) => count >= limit).length
  const value = count / 1000 ** power
  const figures = power > 0 && value < 9.95 ? value.toFixed(1).replace(/\.0$/, '') : value.toFixed(0)
  return `${figures}${units[power]}`
}

/** `$0.42`, and `$0.0054` where two figures after the point would hide the amount. */
export function formatCost(costUsd: number): string {
  if (costUsd === 0 || costUsd >= 0.1) return `$${costUsd.toFixed(2)}`
  return `$${costUsd.toLocaleString('en-US', { maximumSignificantDigits: 2 })}`
}
