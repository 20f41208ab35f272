import type { RecordingRefusal } from '../../records/recorded-reason.ts'
import { stepsOf, titledLineOf, type Scenario } from '../../spec/spec.ts'
import { messageOf } from '../../system/error-facts.ts'
import type { CandidateStep, WrittenCandidate } from './candidate.ts'
import type { RehearsalInput, StartRehearsal } from './rehearse.ts'

/** A scenario with a candidate in the place of its agent. */
export interface Trial extends Pick<RehearsalInput, 'makeHome' | 'env'> {
  /** As it stands in the spec. */
  readonly scenario: Scenario
  readonly steps: readonly CandidateStep[]
  /** The scenario with these recorded blocks in the place of the agent. */
  replay(written: WrittenCandidate): Scenario
  readonly startRun: StartRehearsal
  /** Makes a root without the product. */
  emptiedRoot(): Promise<NonNullable<RehearsalInput['root']>>
  readonly now: () => Date
  /** What stands in the spec. */
  readonly known: string
  /** Absolute paths of folders that are others on another machine. */
  readonly places: readonly string[]
  readonly signal: AbortSignal
}

interface StepRefusal extends Pick<RecordingRefusal, 'code' | 'message'> {
  /** Id of the step; of none where it is about the scenario. */
  readonly id: string
}

/** Why a step is not recorded. */
export function refuse({ scenario }: Pick<Trial, 'scenario'>, { id, code, message }: StepRefusal): RecordingRefusal {
  const step = stepsOf(scenario).find((one) => one.id === id)
  return { code, ...titledLineOf(step ?? scenario), message: message.trim() }
}

/** Why a scenario is not recorded, or counts for nothing, that could not be tried: for want of room, for example. */
export function refuseUntried(scenario: Scenario, error: unknown): RecordingRefusal {
  return { code: 'NOT_REPRODUCED', ...titledLineOf(scenario), message: `It could not be tried: ${messageOf(error)}` }
}
