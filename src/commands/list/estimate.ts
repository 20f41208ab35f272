import type { VerdictRecord } from '../../records/verdict/verdict-record.ts'
import { type AgentUsage, formatSpent, tokensOf } from '../../records/agent-usage.ts'
import type { Scenario, Spec } from '../../spec/spec.ts'
import { repeatsIn } from '../../plan/options/spec-settings.ts'
import type { Plan } from '../../plan/plan.ts'
import { agentStepsOf } from '../../scenario/plan-blocks.ts'
import { formatElapsed, plural } from '../../system/text/format-amounts.ts'

/** What a run of a spec will use, by what its newest passes used. */
export interface Estimate {
  /** Scenarios with a part for the agent. */
  readonly scenarios: number
  /** Those of them without a past pass, which are not in the sum. */
  readonly unknown: number
  /** How many passes the estimate of one scenario rests on, at least; 0 where none is known. */
  readonly passes: number
  /** The sum of the medians; absent where none is known. */
  readonly usage?: EstimatedUsage
}

/** `costUsd` is absent where no agent said what it costs. */
export type EstimatedUsage = Pick<AgentUsage, 'inputTokens' | 'outputTokens' | 'costUsd' | 'durationMs'>

/** A spec and how often its scenarios are run. */
interface EstimatedPlan extends Pick<Plan, 'spec'> {
  readonly settings: Pick<Plan['settings'], 'repeats'>
}

/** How many of the newest passes count: enough for one outlier, few enough to follow a change of the spec. */
const maxPasses = 5

/**
 * Estimates a run of a spec; nothing where no agent acts in it.
 * @param records verdicts on its scenarios, newest first
 */
export function estimateSpec(
  { spec, settings }: EstimatedPlan,
  records: readonly VerdictRecord[],
): Estimate | undefined {
  const scenarios = spec.scenarios.filter((scenario) => agentStepsOf(scenario).length > 0)
  if (scenarios.length === 0) return undefined
  const all = scenarios.map((scenario) => ({
    passes: passesOf(scenario, { spec, records }),
    runs: repeatsIn(scenario, settings).runs,
  }))
  const known = all.filter(({ passes }) => passes.length > 0)
  return {
    scenarios: scenarios.length,
    unknown: scenarios.length - known.length,
    passes: Math.min(...(known.length > 0 ? known.map(({ passes }) => passes.length) : [0])),
    ...(known.length > 0 && {
      usage: sumUsage(known.map(({ passes, runs }) => combine([medianUsage(passes)], times(runs)))),
    }),
  }
}

/** Of several uses. Where some say no cost, the cost is that of the others. */
function sumUsage(usages: readonly EstimatedUsage[]): EstimatedUsage {
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
  return combine(usages, sum)
}

function medianUsage(usages: readonly EstimatedUsage[]): EstimatedUsage {
  return combine(usages, median)
}

interface Known {
  readonly spec: Spec
  readonly records: readonly VerdictRecord[]
}

/** A run that a filter ended before the scenario's last step of the agent says nothing about a whole one. */
function passesOf(scenario: Scenario, { spec, records }: Known): readonly AgentUsage[] {
  const last = agentStepsOf(scenario).at(-1)
  const whole = records.filter(
    (record) =>
      record.scenario === scenario.title &&
      record.outcome === 'pass' &&
      (spec.agent === 'auto' || record.agent === spec.agent) &&
      record.steps.length >= (last?.ordinal ?? 0),
  )
  return whole.flatMap(({ usage }) => usage ?? []).slice(0, maxPasses)
}

function combine(usages: readonly EstimatedUsage[], into: (values: readonly number[]) => number): EstimatedUsage {
  const costsUsd = usages.flatMap(({ costUsd }) => costUsd ?? [])
  return {
    inputTokens: into(usages.map(({ inputTokens }) => inputTokens)),
    outputTokens: into(usages.map(({ outputTokens }) => outputTokens)),
    durationMs: into(usages.map(({ durationMs }) => durationMs)),
    ...(costsUsd.length > 0 && { costUsd: into(costsUsd) }),
  }
}

function times(factor: number): (values: readonly number[]) => number {
  return ([value = 0]) => value * factor
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = (sorted.length - 1) / 2
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2
}

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
