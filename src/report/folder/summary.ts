import { assurances, type Assurance, type Outcome } from '../../records/outcome.ts'
import { tokensOf } from '../../records/agent-usage.ts'
import { countSources, describeSources, sumSources, type SourceCounts } from '../../records/step-source.ts'
import { cutLine, plainLine } from '../../system/text/plain-text.ts'
import { toneOf, type Tone } from '../render/outcome-words.ts'
import type { RunRecord } from '../records/run-record.ts'
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
  /** Why it did not pass, in one line each. */
  readonly reasons: readonly string[]
}

/** What the page knows from the start, in `summary.js`. */
export interface Summary {
  readonly specs: readonly SpecSummary[]
  /** Who carried out the steps; absent where recordings had no part in it. */
  readonly sources?: string
  readonly otherTests: RunRecord['otherTests']
  readonly errors: readonly string[]
  /** ISO 8601 UTC; absent where nothing is known of the run. */
  readonly startedAt?: string
  /** Absent where a run did not come to its end, or not yet. */
  readonly endedAt?: string
  /** Specs that were to be run and have no result. */
  readonly missing: number
}

const maxReasonCharacters = 240
const maxReasons = 3

/** Sums up a spec for the page. */
export function summarizeSpec(record: SpecRecord, key: string): SpecSummary {
  const { title, outcome, steps, runs, problems, durationMs } = record
  const usages = runs.flatMap(({ usage }) => usage ?? [])
  const costs = usages.flatMap(({ costUsd }) => costUsd ?? [])
  const counts = assurances.map((assurance) => [assurance, steps.filter((step) => step.assurance === assurance).length])
  const why = [
    ...problems.map(({ message }) => message),
    ...steps.flatMap((step) =>
      step.reasons.flatMap(({ code, message }) => (code === 'PREDECESSOR_FAILED' ? [] : [`${code}: ${message}`])),
    ),
  ]
  return {
    key,
    anchor: specAnchor(record),
    title,
    outcome,
    steps: steps.map(({ anchor, outcome: became, assurance, titles }) => ({
      anchor,
      outcome: became,
      tone: toneOf(became, assurance),
      title: titles.at(-1) ?? '',
    })),
    durationMs,
    tokens: usages.reduce((sum, usage) => sum + tokensOf(usage), 0),
    ...(costs.length > 0 && { costUsd: costs.reduce((sum, one) => sum + one, 0) }),
    unknownUsages: usages.filter((usage) => tokensOf(usage) === 0 && usage.costUsd === undefined).length,
    flaky: steps.filter(({ flaky }) => flaky).length,
    assurances: Object.fromEntries(counts.filter(([, count]) => count !== 0)),
    sources: countSources(steps.flatMap(({ source }) => source ?? [])),
    reasons: why.slice(0, maxReasons).map((reason) => cutLine(plainLine(reason), maxReasonCharacters)),
  }
}

/** Sums up specs and the runs that they come from. */
export function summarize(specs: readonly SpecSummary[], runs: readonly RunRecord[]): Summary {
  const [startedAt] = runs.map((run) => run.startedAt).toSorted()
  const ends = runs.flatMap((run) => run.endedAt ?? []).toSorted()
  const endedAt = ends.length === runs.length ? ends.at(-1) : undefined
  const sources = describeSources(sumSources(specs.map((spec) => spec.sources)))
  const sum = (countIn: (run: RunRecord) => number): number => runs.reduce((total, run) => total + countIn(run), 0)
  return {
    specs: specs.toSorted((one, other) => (one.anchor < other.anchor ? -1 : 1)),
    ...(sources !== undefined && { sources }),
    otherTests: {
      pass: sum(({ otherTests }) => otherTests.pass),
      fail: sum(({ otherTests }) => otherTests.fail),
      skipped: sum(({ otherTests }) => otherTests.skipped),
    },
    errors: runs.flatMap(({ errors }) => errors),
    ...(startedAt !== undefined && { startedAt }),
    ...(endedAt !== undefined && { endedAt }),
    missing: Math.max(0, sum((run) => run.specs) - specs.length),
  }
}
