import type { AgentUsage } from '../agent-usage.ts'
import type { Assurance, Outcome } from '../outcome.ts'
import type { RecordedReason } from '../recorded-reason.ts'
import type { UsedExecutor } from '../used-executor.ts'
import type { StepSource } from '../step-source.ts'

/** The verdict on one step. */
export interface RecordedStep {
  readonly id: string
  readonly title: string
  /** Line of the step's heading, or of its row in a table. */
  readonly line: number
  /** Path of the included file that the line is in, as `spec`; absent where it is in the spec itself. */
  readonly file?: string
  readonly outcome: Outcome
  /** How a pass is backed; only on a pass. */
  readonly assurance?: Assurance
  /** Absent for a step without a part for an agent, and for one that was skipped. */
  readonly source?: StepSource
  /** Of an agent's step for which mdtest alone executed. */
  readonly executor?: UsedExecutor
  readonly reasons: readonly RecordedReason[]
  /** What failed in a step that is expected to. */
  readonly expected?: readonly RecordedReason[]
  /** Name of the change until which the step is expected to fail; a pass without `expected` comes early. */
  readonly change?: string
  /** Why a pass could not be repeated without the agent, where that lowers it only. */
  readonly unreproduced?: RecordedReason
  /** Milliseconds that the step took with its blocks, 0 for one that was not tried. */
  readonly durationMs: number
  /** Pictures of the application when the step was reported: names in the folder for evidence, made by the agent's program and not by its model. */
  readonly images?: readonly string[]
  /** Of a scenario that is run several times: in how many runs up to this one the step passed. */
  readonly passedRuns?: number
}

/**
 * What mdtest itself stores of a scenario that an agent worked on: its verdict, in `T.verdict.json`. It is written once
 * all is over; a run that did not come to its end has none. What the agent said is in the result log.
 */
export interface VerdictRecord {
  readonly version: 1
  /** Path of the spec relative to the suite root, with slashes. */
  readonly spec: string
  readonly scenario: string
  /** Counted from 1. */
  readonly attempt: number
  /** Of a scenario that is run several times. The verdict is on this one run. */
  readonly repeat?: {
    /** Which run this is, counted from 1. */
    readonly run: number
    readonly of: number
    /** How many runs a step has to pass. */
    readonly required: number
  }
  /** The run id. */
  readonly run: string
  /** Name of the agent. */
  readonly agent: string
  /** Start of the agent, ISO 8601 UTC. */
  readonly startedAt: string
  readonly outcome: Outcome
  /** All steps up to the last that was asked for, in order. */
  readonly steps: readonly RecordedStep[]
  /** What the agent used; absent where its program could not be started. */
  readonly usage?: AgentUsage
  /** Pictures of the application at the end, as those of a step. */
  readonly images?: readonly string[]
}

/** What became of a scenario and its steps. */
export type ScenarioVerdict = Pick<VerdictRecord, 'outcome' | 'steps' | 'repeat'>
