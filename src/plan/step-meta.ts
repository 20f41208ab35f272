import type { Rate } from '../scenario/rate-step.ts'
import type { ToldUsage } from '../records/agent-usage.ts'
import type { Assurance, Outcome } from '../records/outcome.ts'
import type { StepSource } from '../records/step-source.ts'
import type { UsedExecutor } from '../records/used-executor.ts'
import type { SpecLine } from '../spec/spec.ts'
import type { Reason } from '../verdict/verdict.ts'

/** What a test carries in `task.meta.mdtest`, also in the JSON report. */
export interface StepMeta {
  readonly outcome: Outcome
  readonly assurance?: Assurance
  /**
   * Who carried it out; absent for a step without a part for an agent, and for one that was skipped. `recorded` once all
   * scenarios of its spec are over: recordings are made then.
   */
  readonly source?: StepSource
  /** Of an agent's step for which mdtest alone executed: what the agent was in. */
  readonly executor?: UsedExecutor
  /** Of an agent's step that the agent executed itself: why mdtest could not, and the way out. */
  readonly whyItself?: string
  readonly reasons: readonly Reason[]
  /** Path of the result log, relative to the root. */
  readonly log?: string
  /**
   * What the scenario's agent used in all: on the first step reported after its end, and on no other. With that of earlier
   * tries of the same test.
   */
  readonly usage?: ToldUsage
  /** How often the step passed, where its scenario is run several times. */
  readonly rate?: Rate
  /** What failed in a step that is expected to fail, and passes for it. */
  readonly expected?: readonly Reason[]
  /**
   * Name of the change of OpenSpec until which the step is expected to fail. A pass with `expected` is then no proof of its
   * scenario and has no assurance; one without comes early.
   */
  readonly change?: string
  /** Where expected output was rewritten: first lines. */
  readonly rewritten?: readonly SpecLine[]
  /** Passed, and shows nothing: all that it is compared with was written by this run. */
  readonly unproved?: true
  /** Passed, and mdtest could not repeat it without the agent: why not. */
  readonly unreproduced?: Reason
  /** Passed, but not at the first try. */
  readonly flaky?: true
}
