import { assurances, type Assurance, type Outcome } from '../../records/outcome.ts'
import { tokensOf } from '../../records/agent-usage.ts'
import { countSources, describeSources, sumSources, type SourceCounts } from '../../records/step-source.ts'
import { cutLine, plainLine } from '../../system/text/plain-text.ts'
import { withoutMarks } from '../render/browser-text.ts'
import { failureOf } from '../render/failure-of.ts'
import { toneOf, type Tone } from '../tones.ts'
import type { Revision, RunRecord } from '../records/run-record.ts'
import { specAnchor, type SpecRecord } from '../records/spec-record.ts'

/** What the page knows of a spec before it is opened. */
export interface SpecSummary {
  /** Name of its content in `specs/`. */
  readonly key: string
  /** Its address in the report. */
  readonly anchor: string
  readonly title: string
  readonly outcome: Outcome
  readonly steps: readonly {
    readonly anchor: string
    readonly outcome: Outcome
    readonly tone: Tone
    readonly title: string
  }[]
  readonly durationMs: number
  readonly tokens: number
  readonly costUsd?: number
  /** How many agents did not say what they used. */
  readonly unknownUsages: number
  readonly flaky: number
  /** Of its passed steps, how many are backed in which way. */
  readonly assurances: Readonly<Partial<Record<Assurance, number>>>
  /** Who carried out its steps. */
  readonly sources: SourceCounts
  /** How many errors the console of the browser told, and how many requests failed; absent where there are none. */
  readonly findings?: { readonly consoleErrors: number; readonly failedRequests: number }
  /** Why it did not pass, in one line each: what was seen first, the code last. */
  readonly reasons: readonly string[]
  /** How many more there are. */
  readonly moreReasons: number
}

/** A spec as the whole is summed up from it. */
export interface SpecDigest {
  readonly summary: SpecSummary
  /** ISO 8601 UTC. */
  readonly startedAt: string
  readonly endedAt: string
  readonly baseUrl?: string
  readonly agents: readonly string[]
  readonly models: readonly string[]
}

/** What was tested, by whom: each once, in most cases one of each. */
export interface Subject {
  /** Name of the project. */
  readonly project: string
  readonly baseUrls: readonly string[]
  readonly agents: readonly string[]
  readonly models: readonly string[]
  readonly revision?: Revision
}

/** What the page knows from the start, in `summary.js`. */
export interface Summary {
  readonly specs: readonly SpecSummary[]
  readonly subject: Subject
  /** From start to end, what ran side by side counted once. */
  readonly wallTimeMs: number
  /** Who carried out the steps; absent where recordings had no part in it. */
  readonly sources?: string
  readonly otherTests: RunRecord['otherTests']
  readonly errors: readonly string[]
  /** ISO 8601 UTC. */
  readonly startedAt: string
  /** Absent where the run did not come to its end, or not yet. */
  readonly endedAt?: string
  /** Specs that were to be run and have no result. */
  readonly missing: number
}

const maxReasonCharacters = 240
const maxReasons = 3

/** Sums up a spec for the page, and for the sum of all. */
export function digestSpec(record: SpecRecord, key: string): SpecDigest {
  const { startedAt, endedAt, baseUrl, runs } = record
  return {
    summary: summarizeSpec(record, key),
    startedAt,
    endedAt,
    ...(baseUrl !== undefined && { baseUrl }),
    agents: runs.flatMap(({ agent }) => agent ?? []),
    models: runs.flatMap(({ usage }) => usage?.model ?? []),
  }
}

/** Sums up a spec for the page. */
export function summarizeSpec(record: SpecRecord, key: string): SpecSummary {
  const { title, outcome, steps, runs, problems, durationMs } = record
  const usages = runs.flatMap(({ usage }) => usage ?? [])
  const costs = usages.flatMap(({ costUsd }) => costUsd ?? [])
  const proved = steps.filter(({ expected }) => expected === undefined)
  const counts = assurances.map((level) => [level, proved.filter(({ assurance }) => assurance === level).length])
  const why = [...problems.map(({ message }) => cut(message)), ...steps.flatMap((step) => whyNot(step, record))]
  const sum = (countIn: (step: SpecRecord['steps'][number]) => number | undefined): number =>
    steps.reduce((total, step) => total + (countIn(step) ?? 0), 0)
  const consoleErrors = sum(({ findings }) => findings?.consoleErrors.count)
  const failedRequests = sum(({ findings }) => findings?.failedRequests.count)
  return {
    key,
    anchor: specAnchor(record),
    title,
    outcome,
    steps: steps.map((step) => ({
      anchor: step.anchor,
      outcome: step.outcome,
      tone: toneOf(step.outcome, step.assurance, step.expected),
      title: step.titles.at(-1) ?? '',
    })),
    durationMs,
    tokens: usages.reduce((sum, usage) => sum + tokensOf(usage), 0),
    ...(costs.length > 0 && { costUsd: costs.reduce((sum, one) => sum + one, 0) }),
    unknownUsages: usages.filter((usage) => tokensOf(usage) === 0 && usage.costUsd === undefined).length,
    flaky: steps.filter(({ flaky }) => flaky).length,
    assurances: Object.fromEntries(counts.filter(([, count]) => count !== 0)),
    sources: countSources(steps.flatMap(({ source }) => source ?? [])),
    ...(consoleErrors + failedRequests > 0 && { findings: { consoleErrors, failedRequests } }),
    reasons: why.slice(0, maxReasons),
    moreReasons: Math.max(0, why.length - maxReasons),
  }
}

/** One line for a step that did not pass: what was seen, and the code of the first reason. */
function whyNot(step: SpecRecord['steps'][number], { title, steps }: SpecRecord): readonly string[] {
  const { seen, told } = failureOf(step)
  const [first] = step.reasons.filter(({ code }) => code !== 'PREDECESSOR_FAILED')
  if (first === undefined) return []
  const code = seen === undefined ? (told[0]?.code ?? first.code) : first.code
  const names = steps.length === 1 ? [] : step.titles.filter((name, index) => index > 0 || name !== title)
  const place = names.length === 0 ? '' : `${cut(names.join(' › '))}: `
  return [`${place}${cut(withoutMarks(seen ?? told[0]?.message ?? first.message))} (${code})`]
}

function cut(text: string): string {
  return cutLine(plainLine(text), maxReasonCharacters)
}

/** Sums up specs and the run that they come from. */
export function summarize(
  digests: readonly SpecDigest[],
  { run, project }: { readonly run: RunRecord; readonly project: string },
): Summary {
  const specs = digests.map(({ summary }) => summary)
  const { startedAt, endedAt, revision, otherTests, errors } = run
  const sources = describeSources(sumSources(specs.map((spec) => spec.sources)))
  return {
    specs: specs.toSorted((one, other) => (one.anchor < other.anchor ? -1 : 1)),
    subject: {
      project,
      baseUrls: unique(digests.flatMap(({ baseUrl }) => baseUrl || [])),
      agents: unique(digests.flatMap(({ agents }) => agents)),
      models: unique(digests.flatMap(({ models }) => models)),
      ...(revision && { revision }),
    },
    wallTimeMs: run.wallTimeMs ?? coveredTime(digests),
    ...(sources !== undefined && { sources }),
    otherTests,
    errors,
    startedAt,
    ...(endedAt !== undefined && { endedAt }),
    missing: Math.max(0, run.specs - specs.length),
  }
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)].toSorted()
}

/** In milliseconds. Of specs that ran side by side each moment counts once. */
function coveredTime(digests: readonly SpecDigest[]): number {
  const spans = digests.map(({ startedAt, endedAt }) => [Date.parse(startedAt), Date.parse(endedAt)] as const) // a pair
  let end = Number.NEGATIVE_INFINITY
  let total = 0
  for (const [from, to] of spans.toSorted(([one], [other]) => one - other)) {
    total += Math.max(0, to - Math.max(from, end))
    end = Math.max(end, to)
  }
  return total
}
