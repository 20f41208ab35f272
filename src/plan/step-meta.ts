import type { Rate } from '../scenario/rate-step.ts'
import type { ToldUsage } from '../records/tokens-and-cost.ts'
import type { Assurance, Outcome } from '../records/outcome.ts'
import type { StepSource } from '../records/step-source.ts'
import type { UsedExecutor } from '../records/used-executor.ts'
import type { SpecLine } from '../spec/spec.ts'
import type { Reason } from '../verdict/verdict.ts'

/** Data of a test in `task.meta.mdtest`, also in the JSON report. */
export interface StepMeta {
  readonly outcome: Outcome
  readonly assurance?: Assurance
  /** Who carried out the step. Absent if the step was skipped or has no part for an agent. */
  readonly source?: StepSource
  /** How mdtest confined the agent. Absent if the agent executed commands itself. */
  readonly executor?: UsedExecutor
  /** Why the agent, and not mdtest, executed the commands, and how to change that. */
  readonly whyItself?: string
  readonly reasons: readonly Reason[]
  /** Path of the result log, relative to the root. */
  readonly log?: string
  /** Usage of the scenario's agent in all tries. Set only for the first step reported after the agent's end. */
  readonly usage?: ToldUsage
  /** How often the step passed, if its scenario is run several times. */
  readonly rate?: Rate
  /** Reasons of a failure that was expected, so that the step counts as a pass. */
  readonly expected?: readonly Reason[]
  /** Name of the planned OpenSpec change. A pass without `expected` shows that the step already works. */
  readonly change?: string
  /** First lines of the expected outputs that were rewritten. */
  readonly rewritten?: readonly SpecLine[]
  /** This run wrote all output that the step is compared with, so the pass proves nothing. */
  readonly unproved?: true
  /** Why mdtest could not repeat a passed step without the agent. */
  readonly unreproduced?: Reason
  /** Passed, but not at the first try. */
  readonly flaky?: true
}
