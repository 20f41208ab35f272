import { agentStepsOf } from '../../scenario/plan-blocks.ts'
import type { Recording } from '../../spec/recording/recording.ts'
import type { Scenario, Step, StepReplay } from '../../spec/spec.ts'

/** A scenario's part in a recording. */
export interface RecordedScenario {
  readonly recording: Recording
  /** By id of the step. */
  readonly keys: ReadonlyMap<string, string>
}

/** What a recording has of the steps that an agent carries out, by id. */
export function replaysOf(scenario: Scenario, { recording, keys }: RecordedScenario): ReadonlyMap<string, StepReplay> {
  const steps = needsAgentBeside(scenario) ? [] : recording.steps
  const recorded = new Set(steps.map(({ key }) => key))
  const titles = new Set(steps.map(({ title }) => title))
  const replayOf = ({ id, title }: Step): StepReplay =>
    recorded.has(keys.get(id) ?? '') ? 'current' : titles.has(title) ? 'stale' : 'missing'
  return new Map(agentStepsOf(scenario).map((step) => [step.id, replayOf(step)]))
}

/** Whether an agent sets up or tears down: what a recording of the steps would leave to nobody. */
export function needsAgentBeside({ setup, teardown }: Scenario): boolean {
  return [setup, teardown].some((hook) => hook?.hasProse === true)
}
