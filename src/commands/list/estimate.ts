import type { VerdictRecord } from '../../records/verdict/verdict-record.ts'
import { type AgentUsage, formatSpent, tokensOf } from '../../records/agent-usage.ts'
import { stepsOf, type Scenario, type Spec, type Step } from '../../spec/spec.ts'
import { repeatsIn } from '../../plan/options/spec-settings.ts'
import type { Plan } from '../../plan/plan.ts'
import { agentStepsOf } from '../../scenario/plan-blocks.ts'
import { formatElapsed, plural } from '../../system/text/format-amounts.ts'

/** What a run of a spec will use, by what its newest passes used. */
export interface Estimate {
  /** Scenarios with a part that the agent will carry out. */
  readonly scenarios: number
  /** Steps that will be replayed: they need no model. */
  readonly replayed: number
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
interface EstimatedPlan extends Pick<Plan, 'spec' | 'replay'> {
  readonly settings: Pick<Plan['settings'], 'repeats'>
}

/** How many of the newest passes count: enough for one outlier, few enough to follow a change of the spec. */
const maxPasses = 5

/**
 * Estimates a run of a spec; nothing where nothing in it is for an agent.
 * @param records verdicts on its scenarios, newest first
 */
export function estimateSpec(plan: EstimatedPlan, records: readonly VerdictRecord[]): Estimate | undefined {
  const { spec, settings, replay } = plan
  const planned = spec.scenarios.map((scenario) => {
    const { runs } = repeatsIn(scenario, settings)
    // One that is run several times asks the agent each time.
    const asRun = (runs === 1 ? replay?.scenarios[scenario.ordinal] : undefined) ?? scenario
    const replayed = stepsOf(asRun).filter((step) => step.replay === 'current').length
    return { scenario, runs, replayed, steps: agentStepsOf(asRun) }
  })
  const all = planned
    .filter(({ steps }) => steps.length > 0)
    .map((one) => ({ runs: one.runs, usages: usagesOf(one, { spec, records }) }))
  const replayed = planned.reduce((sum, one) => sum + one.replayed, 0)
  if (all.length === 0 && replayed === 0) return undefined
  const known = all.filter(({ usages }) => usages.length > 0)
  return {
    scenarios: all.length,
    replayed,
    unknown: all.length - known.length,
    passes: Math.min(...(known.length > 0 ? known.map(({ usages }) => usages.length) : [0])),
    ...(known.length > 0 && {
      usage: sumUsage(known.map(({ usages, runs }) => combine([medianUsage(usages)], times(runs)))),
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

interface PlannedScenario {
  readonly scenario: Scenario
  /** Those that the agent will carry out. */
  readonly steps: readonly Step[]
}

/** What the agent used for these steps in past passes. A run that a filter ended before the last of them says nothing. */
function usagesOf({ scenario, steps }: PlannedScenario, { spec, records }: Known): readonly EstimatedUsage[] {
  const last = agentStepsOf(scenario).at(-1)
  const whole = records.filter(
    (record) =>
      record.scenario === scenario.title &&
      record.outcome === 'pass' &&
      (spec.agent === 'auto' || record.agent === spec.agent) &&
      record.steps.length >= (last?.ordinal ?? 0),
  )
  const wanted = new Set(steps.map(({ id }) => id))
  const asked = new Set(agentStepsOf(scenario).map(({ id }) => id))
  return whole.flatMap((record) => usageFor(record, wanted, asked)).slice(0, maxPasses)
}

/** The part of a pass that went into the steps that are wanted, by their times; none where one of them was replayed. */
function usageFor(
  { usage, steps }: VerdictRecord,
  wanted: ReadonlySet<string>,
  asked: ReadonlySet<string>,
): readonly EstimatedUsage[] {
  const wasReplayed = ({ source }: VerdictRecord['steps'][number]): boolean => source?.kind === 'replayed'
  if (usage === undefined || steps.some((step) => wanted.has(step.id) && wasReplayed(step))) return []
  const done = steps.filter((step) => asked.has(step.id) && !wasReplayed(step))
  const own = done.filter(({ id }) => wanted.has(id))
  const [all = 0, part = 0] = [done, own].map((some) => some.reduce((sum, { durationMs }) => sum + durationMs, 0))
  // Steps that had other titles then are not found.
  return [own.length === wanted.size && part < all ? combine([usage], times(part / all)) : usage]
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

/** `replayed: 3 steps, no model`, and `estimate: 12 k tokens in, 1.2 k out, $0.05, 1m 05s (median of 5 passes)`. */
export function formatEstimate({ scenarios, replayed, unknown, passes, usage }: Estimate): readonly string[] {
  const basis = passes === 1 ? 'the newest pass' : `median of ${passes} passes`
  const gap = unknown > 0 ? `, without ${unknown} of ${scenarios} scenarios, which have no past pass` : ''
  const estimate =
    usage === undefined ? 'estimate: none, there is no past pass' : `estimate: ${formatUsage(usage)} (${basis}${gap})`
  return [...formatReplayed(replayed), ...(scenarios > 0 ? [estimate] : [])]
}

function formatReplayed(steps: number): readonly string[] {
  return steps === 0 ? [] : [`replayed: ${plural(steps, 'step')}, no model`]
}

/** The sum of the specs in which the agent acts. */
export function formatTotal(all: readonly Estimate[]): string {
  const replayed = formatReplayed(all.reduce((sum, one) => sum + one.replayed, 0))
  return [formatSum(all.filter(({ scenarios }) => scenarios > 0)), ...replayed].join('; ')
}

function formatSum(estimates: readonly Estimate[]): string {
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
