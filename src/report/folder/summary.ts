import { tokensOf } from '../../records/tokens-and-cost.ts'
import type { Assurance, Outcome } from '../../records/outcome.ts'
import { countSources, describeSources, sumSources, type SourceCounts } from '../../records/step-source.ts'
import { cutLine, plainLine } from '../../system/text/plain-text.ts'
import { withoutUndefined } from '../../system/without-undefined.ts'
import { failureOf, withoutMarks } from '../shown-failure.ts'
import type { Revision, RunRecord } from '../data/run-record.ts'
import { specAnchor, type ReportedStep, type SpecRecord } from '../data/spec-record.ts'
import { toneOf, toneOfAll, type Tone } from '../outcome-tones.ts'

export interface SpecSummary extends Pick<
  SpecRecord,
  'title' | 'outcome' | 'durationMs' | 'startedAt' | 'endedAt' | 'baseUrl'
> {
  readonly key: string
  readonly anchor: string
  readonly tone: Tone
  readonly steps: readonly {
    readonly title: string
    readonly outcome: Outcome
    readonly tone: Tone
    readonly assurance?: Assurance
  }[]
  readonly agents: readonly string[]
  readonly models: readonly string[]
  readonly tokens: number
  readonly costUsd?: number
  readonly unknownUsages: number
  readonly flaky: number
  readonly sources: SourceCounts
  readonly findings: { readonly consoleErrors: number; readonly failedRequests: number }
  /** Why the spec did not pass. Each line has an observation and the code of the reason. */
  readonly reasons: readonly string[]
  readonly moreReasons: number
}

export interface Summary extends Pick<RunRecord, 'name' | 'otherTests' | 'errors' | 'startedAt' | 'endedAt'> {
  readonly specs: readonly SpecSummary[]
  readonly subject: Pick<SpecSummary, 'agents' | 'models'> & {
    readonly project: string
    readonly baseUrls: readonly string[]
    readonly revision?: Revision
  }
  readonly wallTimeMs: number
  readonly sources?: string
  readonly missing: number
}

const maxReasonCharacters = 240
const maxReasons = 3

export function summarizeSpec(record: SpecRecord, key: string): SpecSummary {
  const { title, outcome, steps, runs, problems, durationMs, startedAt, endedAt, baseUrl } = record
  const usages = runs.flatMap(({ usage }) => usage ?? [])
  const costs = usages.flatMap(({ costUsd }) => costUsd ?? [])
  const why = [...problems.map(({ message }) => cutReason(message)), ...steps.flatMap((step) => whyNot(step, record))]
  const told = steps.map((step) => ({
    title: step.titles.at(-1) ?? '',
    outcome: step.outcome,
    tone: toneOf(step),
    ...(step.assurance && step.expected === undefined && { assurance: step.assurance }),
  }))
  return {
    ...{ key, anchor: specAnchor(record), title, outcome, tone: toneOfAll(outcome, told), steps: told },
    ...{ durationMs, startedAt, endedAt, ...(baseUrl !== undefined && { baseUrl }) },
    agents: unique(runs.flatMap(({ agent }) => agent ?? [])),
    models: unique(usages.flatMap(({ model }) => model ?? [])),
    tokens: sum(usages.map(tokensOf)),
    ...(costs.length > 0 && { costUsd: sum(costs) }),
    unknownUsages: usages.filter((usage) => tokensOf(usage) === 0 && usage.costUsd === undefined).length,
    flaky: steps.filter(({ flaky }) => flaky).length,
    sources: countSources(steps.flatMap(({ source }) => source ?? [])),
    findings: {
      consoleErrors: sum(steps.map(({ findings }) => findings?.consoleErrors.count ?? 0)),
      failedRequests: sum(steps.map(({ findings }) => findings?.failedRequests.count ?? 0)),
    },
    reasons: why.slice(0, maxReasons),
    moreReasons: Math.max(0, why.length - maxReasons),
  }
}

function whyNot(step: ReportedStep, { title, steps }: SpecRecord): readonly string[] {
  const { seen, told } = failureOf(step)
  const [first] = step.reasons.filter(({ code }) => code !== 'PREDECESSOR_FAILED')
  if (first === undefined) return []
  const code = seen === undefined ? (told[0]?.code ?? first.code) : first.code
  const names = steps.length === 1 ? [] : step.titles.filter((name, index) => index > 0 || name !== title)
  const place = names.length === 0 ? '' : `${cutReason(names.join(' › '))}: `
  return [`${place}${cutReason(withoutMarks(seen ?? told[0]?.message ?? first.message))} (${code})`]
}

function cutReason(text: string): string {
  return cutLine(plainLine(text), maxReasonCharacters)
}

export function summarize(
  specs: readonly SpecSummary[],
  { run, project }: { readonly run: RunRecord; readonly project: string },
): Summary {
  const { name, startedAt, endedAt, revision, otherTests, errors } = run
  const sources = describeSources(sumSources(specs.map((spec) => spec.sources)))
  return {
    specs: specs.toSorted((one, other) => (one.anchor < other.anchor ? -1 : 1)),
    subject: {
      project,
      baseUrls: unique(specs.flatMap(({ baseUrl }) => baseUrl || [])),
      agents: unique(specs.flatMap(({ agents }) => agents)),
      models: unique(specs.flatMap(({ models }) => models)),
      ...(revision && { revision }),
    },
    wallTimeMs: run.wallTimeMs ?? coveredTime(specs),
    ...withoutUndefined<Pick<Summary, 'sources' | 'name' | 'endedAt'>>({ sources, name, endedAt }),
    ...{ otherTests, errors, startedAt },
    missing: Math.max(0, run.specs - specs.length),
  }
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)].toSorted()
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}

/** Milliseconds in which specs ran. If specs ran in parallel, their common time counts once. */
function coveredTime(specs: readonly SpecSummary[]): number {
  const spans = specs.map(({ startedAt, endedAt }) => ({ from: Date.parse(startedAt), to: Date.parse(endedAt) }))
  let end = Number.NEGATIVE_INFINITY
  let total = 0
  for (const { from, to } of spans.toSorted((one, other) => one.from - other.from)) {
    total += Math.max(0, to - Math.max(from, end))
    end = Math.max(end, to)
  }
  return total
}
