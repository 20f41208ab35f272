import type { ScenarioVerdict, RecordedStep } from '../records/verdict/verdict-record.ts'
import { lineOf, type Step } from '../spec/spec.ts'
import { summarizeOutcomes } from '../verdict/summarize-outcomes.ts'
import type { Verdict } from '../verdict/verdict.ts'
import { isWorse } from './late-findings.ts'

/** A step and what became of it. */
interface EndedStep {
  readonly step: Step
  /** As its test showed it, where it had one. */
  readonly settled: Verdict | undefined
  /** As it is now that all is known. */
  readonly final: Verdict
  readonly durationMs: number
}

/** The verdict on a whole scenario, for its record: of each step what its test showed, or the worse that came later. */
export function summarize(ended: readonly EndedStep[]): ScenarioVerdict {
  const steps = ended.map(recordStep)
  return { outcome: summarizeOutcomes(steps.map(({ outcome }) => outcome)), steps }
}

function recordStep({ step, settled, final, durationMs }: EndedStep): RecordedStep {
  const verdict = settled === undefined || isWorse(final, settled) ? final : settled
  const { outcome, assurance, reasons, expected } = verdict
  const { id, title } = step
  return {
    id,
    title,
    ...lineOf(step),
    outcome,
    ...(assurance && { assurance }),
    reasons: [...reasons],
    ...(expected && { expected: [...expected] }),
    durationMs,
  }
}
