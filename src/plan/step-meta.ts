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
  /**
   * Who carried out the step. Absent for a skipped step and for a step without a part for an agent. `recorded` is set
   * after all scenarios of the spec, when the recordings are made.
   */
  readonly source?: StepSource
  /** How the agent was kept from the product, if mdtest executed all its commands. */
  readonly executor?: UsedExecutor
  /** If the agent executed commands itself: why mdtest could not, and how to change that. */
  readonly whyItself?: string
  readonly reasons: readonly Reason[]
  /** Path of the result log, relative to the root. */
  readonly log?: string
  /**
   * Usage of the scenario's agent, including earlier tries of the same test. Present only on the first step that is
   * reported after the agent has ended.
   */
  readonly usage?: ToldUsage
  /** How often the step passed, if its scenario is run several times. */
  readonly rate?: Rate
  /** Why the step failed, if a failure is expected. The step then counts as a pass. */
  readonly expected?: readonly Reason[]
  /**
   * Name of an OpenSpec change: the step is expected to fail until the change is archived. A pass with `expected`
   * proves nothing and has no assurance. A pass without `expected` shows that the step works before the archiving.
   */
  readonly change?: string
  /** First lines of the expected outputs that were rewritten. */
  readonly rewritten?: readonly SpecLine[]
  /** The step passed but proves nothing: all output that it is compared with was written by this run. */
  readonly unproved?: true
  /** Why mdtest could not repeat a passed step without the agent. */
  readonly unreproduced?: Reason
  /** Passed, but not at the first try. */
  readonly flaky?: true
}
