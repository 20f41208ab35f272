export interface AgentUsage {
  /** Includes cached tokens. */
  readonly inputTokens: number
  readonly outputTokens: number
  /** The cached part of `inputTokens`; absent if the agent does not report it. */
  readonly cachedInputTokens?: number
  /** US dollars, as calculated by the agent; absent if it reports no cost. */
  readonly costUsd?: number
  /** Requests to the model; absent if the agent does not report them. */
  readonly turns?: number
  readonly model?: string
  readonly durationMs: number
}

export type Spent = Omit<AgentUsage, 'durationMs'>

export type ToldUsage = Omit<AgentUsage, 'inputTokens' | 'outputTokens'> &
  Partial<Pick<AgentUsage, 'inputTokens' | 'outputTokens'>>

/** Leaves out the token counts if neither tokens nor cost were reported, because 0 would be wrong. */
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

/** Returns `1.2 M tokens in (1 M cached), 30 k out, $0.42`, or `usage unknown` if nothing was reported. */
export function formatSpent({ inputTokens, outputTokens, cachedInputTokens = 0, costUsd }: Spent): string {
  if (inputTokens + outputTokens === 0 && costUsd === undefined) return 'usage unknown'
  const cost = costUsd === undefined ? [] : [formatCost(costUsd)]
  const cached = cachedInputTokens === 0 ? '' : ` (${formatCount(cachedInputTokens)} cached)`
  return [`${formatCount(inputTokens)} tokens in${cached}`, `${formatCount(outputTokens)} out`, ...cost].join(', ')
}

const units = ['', ' k', ' M', ' G']

/** For example `999`, `1.2 k`, `30 k`, `1.2 M`. */
function formatCount(count: number): string {
  // A count of 999.5 would be rounded to 1000, so the next unit begins there.
  const power = [999.5, 999_500, 999_500_000].filter((limit) => count >= limit).length
  const value = count / 1000 ** power
  const figures = power > 0 && value < 9.95 ? value.toFixed(1).replace(/\.0$/, '') : value.toFixed(0)
  return `${figures}${units[power]}`
}

/** For example `$0.42`. Amounts below 10 cents get two significant digits, such as `$0.0054`. */
export function formatCost(costUsd: number): string {
  if (costUsd === 0 || costUsd >= 0.1) return `$${costUsd.toFixed(2)}`
  return `$${costUsd.toLocaleString('en-US', { maximumSignificantDigits: 2 })}`
}
