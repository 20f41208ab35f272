import { formatSpent, tokensOf } from '../../records/agent-usage.ts'
import { formatElapsed } from '../../system/text/format-elapsed.ts'
import { plural } from '../../system/text/plural.ts'
import { sumUsage, type Estimate, type EstimatedUsage } from './estimate.ts'

/** `estimate: 12 k tokens in, 1.2 k out, $0.05, 1m 05s (median of 5 passes)`. */
export function formatEstimate({ scenarios, unknown, passes, usage }: Estimate): string {
  if (usage === undefined) return 'estimate: none, there is no past pass'
  const basis = passes === 1 ? 'the newest pass' : `median of ${passes} passes`
  const gap = unknown > 0 ? `, without ${unknown} of ${scenarios} scenarios, which have no past pass` : ''
  return `estimate: ${formatUsage(usage)} (${basis}${gap})`
}

/** The sum of the specs in which the agent acts. */
export function formatTotal(estimates: readonly Estimate[]): string {
  if (estimates.length === 0) return 'in all: no spec needs an agent'
  const usages = estimates.flatMap(({ usage }) => usage ?? [])
  const without = estimates.length - usages.length
  if (usages.length === 0) return `in all: no estimate; ${plural(without, 'spec')} without a past pass`
  const withCost = usages.filter(({ costUsd }) => costUsd !== undefined).length
  const partial = estimates.filter(({ usage, unknown }) => usage !== undefined && unknown > 0).length
  const notes = [
    ...(withCost > 0 && withCost < usages.length ? [`${withCost} of them with a known cost`] : []),
    ...(partial > 0 ? [`${partial} of them known in part`] : []),
    ...(without > 0 ? [`${without} more without a past pass`] : []),
  ]
  return [`in all: ${formatUsage(sumUsage(usages))} for ${plural(usages.length, 'spec')}`, ...notes].join('; ')
}

/** A program that does not say what it used has used nothing to speak of but time. */
function formatUsage(usage: EstimatedUsage): string {
  const spent = tokensOf(usage) === 0 && usage.costUsd === undefined ? [] : [formatSpent(usage)]
  return [...spent, formatElapsed(usage.durationMs)].join(', ')
}
