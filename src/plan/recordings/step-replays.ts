import { agentStepsOf } from '../../scenario/plan-blocks.ts'
import { isOfScenario, type RecordedStep, type Recording } from '../../spec/recording/recording.ts'
import type { Scenario, Spec, Step, StepReplay } from '../../spec/spec.ts'

/** A scenario's part in a recording. */
export interface RecordedScenario {
  readonly recording: Recording
  /** By id of the step. */
  readonly keys: ReadonlyMap<string, string>
  /** All of the spec: what is recorded of one of them is of no other. */
  readonly scenarios: Spec['scenarios']
}

/** What a recording has of the steps that an agent carries out, by id. */
export function replaysOf(
  scenario: Scenario,
  { recording, keys, scenarios }: RecordedScenario,
): ReadonlyMap<string, StepReplay> {
  const steps = needsAgentBeside(scenario) ? [] : recording.steps
  const recorded = new Set(steps.map(({ key }) => key))
  // Below a heading that is of no scenario any more: that of one which was called otherwise.
  const isOwn = (step: RecordedStep): boolean =>
    isOfScenario(step, headOf(scenario)) || !scenarios.some((one) => isOfScenario(step, headOf(one)))
  const titles = new Set(steps.filter(isOwn).map(({ title }) => title))
  const replayOf = ({ id, title }: Step): StepReplay =>
    recorded.has(keys.get(id) ?? '') ? 'current' : titles.has(title) ? 'stale' : 'missing'
  return new Map(agentStepsOf(scenario).map((step) => [step.id, replayOf(step)]))
}

function headOf({ title, hasDescribe }: Scenario): Parameters<typeof isOfScenario>[1] {
  return { title, isStep: !hasDescribe }
}

/** Whether an agent sets up or tears down: what a recording of the steps would leave to nobody. */
export function needsAgentBeside({ setup, teardown }: Scenario): boolean {
  return [setup, teardown].some((hook) => hook?.hasProse === true)
}
