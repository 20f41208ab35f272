import type { ScenarioVerdict, RecordedStep } from '../records/verdict/verdict-record.ts'
import { lineOf, type Step } from '../spec/spec.ts'
import { summarizeOutcomes } from '../verdict/verdict.ts'
import type { Verdict, Reason } from '../verdict/verdict.ts'
import type { StepSource } from '../records/step-source.ts'
import { type Outcome, assurances, outcomeOfRuns } from '../records/outcome.ts'
import type { ScenarioOutcome } from '../records/outcomes/outcome-files.ts'
import type { ScenarioInput } from './scenario-input.ts'

interface EndedStep {
  readonly step: Step
  readonly settled: Verdict | undefined
  readonly final: Verdict
  readonly source?: StepSource | undefined
  readonly durationMs: number
}

/** The verdict on a whole scenario, for its record: of each step what its test showed, or the worse that came later. */
export function summarize(ended: readonly EndedStep[]): ScenarioVerdict {
  const steps = ended.map(recordStep)
  return { outcome: summarizeOutcomes(steps.map(({ outcome }) => outcome)), steps }
}

function recordStep({ step, settled, final, source, durationMs }: EndedStep): RecordedStep {
  const verdict = settled === undefined || isWorse(final, settled) ? final : settled
  const { outcome, assurance, reasons, expected, change, unreproduced, executor } = verdict
  const { id, title } = step
  return {
    id,
    title,
    ...lineOf(step),
    outcome,
    ...(assurance && { assurance }),
    ...(source && outcome !== 'skipped' && { source }),
    ...(executor && { executor }),
    reasons: [...reasons],
    ...(expected && { expected: [...expected] }),
    ...(change !== undefined && { change }),
    ...(unreproduced && { unreproduced }),
    durationMs,
  }
}

/** A reason that no test of a step has shown. */
export interface LateFinding extends Reason {
  readonly line: number
}

/** What became known of a step after it was settled: its final verdict is worse. */
export function lateFindings(step: Step, settled: Verdict, final: Verdict): readonly LateFinding[] {
  if (!isWorse(final, settled)) return []
  return final.reasons.map(({ code, message, line, file }) => ({
    code,
    ...lineOf(line === undefined ? step : { line, file }),
    message: `After step "${step.title}" had been settled as \`${settled.outcome}\`: ${message}`,
  }))
}

/** Whether the outcome of the one is worse: a failure, else blocked. */
export function isWorse(one: Pick<Verdict, 'outcome'>, other: Pick<Verdict, 'outcome'>): boolean {
  return ranks[one.outcome] > ranks[other.outcome]
}

const ranks: Readonly<Record<Outcome, number>> = { pass: 0, skipped: 0, blocked: 1, fail: 2 }

interface EndedRun {
  readonly verdict: ScenarioVerdict | undefined
  readonly agent: { readonly name: string } | undefined
}

/** Has written down what became of a scenario that proves requirements, where that can be written: it changes no verdict. */
export async function noteOutcome(
  { scenario, spec, root, settings: { logs }, host }: ScenarioInput,
  { verdict, agent }: EndedRun,
): Promise<void> {
  const { title, proves } = scenario
  if (proves === undefined) return
  const became = verdict === undefined ? { outcome: 'blocked' as const } : outcomeOf(verdict) // a literal
  const place = { specFile: spec.file, root, ...(logs.dir !== undefined && { dir: logs.dir }) }
  const ended = { scenario: title, ...became, ...(agent && { agent: agent.name }), proves }
  // A project that can only be read has no coverage, and its tests pass and fail as ever.
  await host.noteOutcome(place, ended).catch(() => {})
}

/** What became of a scenario as a whole: the worst of its steps, and of a pass the weakest assurance. */
function outcomeOf({ steps, repeat }: ScenarioVerdict): Pick<ScenarioOutcome, 'outcome' | 'assurance'> {
  // What fails as expected proves nothing.
  const outcome = summarizeOutcomes(
    steps.map((step) => (step.expected === undefined ? outcomeOfRuns(step, repeat) : 'fail')),
  )
  if (outcome !== 'pass') return { outcome }
  const backed = steps.flatMap(({ assurance }) => assurance ?? [])
  const assurance = assurances.find((each) => backed.includes(each))
  return { outcome, ...(assurance && { assurance }) }
}
