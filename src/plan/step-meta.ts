import type { Rate } from '../scenario/rate-step.ts'
import type { ToldUsage } from '../records/tokens-and-cost.ts'
import type { StepSource } from '../records/step-source.ts'
import type { SpecLine } from '../spec/spec.ts'
import type { Verdict } from '../verdict/verdict.ts'

/** Data of a test in `task.meta.mdtest`, also in the JSON report. */
export interface StepMeta extends Pick<
  Verdict,
  'outcome' | 'assurance' | 'reasons' | 'executor' | 'whyItself' | 'expected' | 'change' | 'unreproduced'
> {
  /** Who carried out the step. Absent if the step was skipped or has no part for an agent. */
  readonly source?: StepSource
  /** Path of the result log, relative to the root. */
  readonly log?: string
  /** Usage of the scenario's agent in all tries. Set only for the first step reported after the agent's end. */
  readonly usage?: ToldUsage
  /** How often the step passed, if its scenario is run several times. */
  readonly rate?: Rate
  /** First lines of the expected outputs that were rewritten. */
  readonly rewritten?: readonly SpecLine[]
  /** This run wrote all output that the step is compared with, so the pass proves nothing. */
  readonly unproved?: true
  /** Passed, but not at the first try. */
  readonly flaky?: true
}
