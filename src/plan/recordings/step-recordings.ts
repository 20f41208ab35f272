import type { RecordedReason } from '../../records/recorded-reason.ts'
import { agentStepsOf } from '../../scenario/plan-blocks.ts'
import type { RecordedStep } from '../../spec/recording/recording.ts'
import { lineOf, stepsOf, type Scenario, type Step, type StepReplay } from '../../spec/spec.ts'
import { replaysOf, type RecordedScenario } from './step-replays.ts'

/** What a recording has of a step that an agent carries out. */
export type StepRecording =
  | { readonly state: 'recorded' | 'not recorded' }
  /** It has one of an earlier wording. `why`: what has changed, as far as it can be known. */
  | { readonly state: 'stale'; readonly why: string }

/** What a recording has of the steps of a scenario, by id. A step is as stale as the first one that changed. */
export function stepRecordings(scenario: Scenario, recorded: RecordedScenario): ReadonlyMap<string, StepRecording> {
  const replays = replaysOf(scenario, recorded)
  const steps = agentStepsOf(scenario)
  const first = steps.find(({ id }) => replays.get(id) !== 'current')
  const stateOf = (step: Step): StepRecording => {
    const replay = replays.get(step.id)
    if (replay !== 'stale') return { state: replay === 'current' ? 'recorded' : 'not recorded' }
    if (first === undefined || first === step) return { state: 'stale', why: whyFirst(step, scenario, recorded) }
    return { state: 'stale', why: whyBehind(first, replays.get(first.id)) }
  }
  return new Map(steps.map((step) => [step.id, stateOf(step)]))
}

/** Why what is recorded of a scenario is not replayed, in the words of a reason; nothing where no step is stale. */
export function staleReason(scenario: Scenario, recorded: RecordedScenario): RecordedReason | undefined {
  const recordings = stepRecordings(scenario, recorded)
  for (const step of agentStepsOf(scenario)) {
    const found = recordings.get(step.id)
    if (found?.state !== 'stale') continue
    const message = `The recording of "${step.title}" is of an earlier wording: ${found.why}. Record it again with \`mdtest record\`.`
    return { code: 'REPLAY_STALE', cause: 'spec changed', message, ...lineOf(step) }
  }
  return undefined
}

function whyBehind({ title }: Step, replay: StepReplay | undefined): string {
  return replay === 'missing' ? `the step "${title}" before it is new` : `the step "${title}" before it has changed`
}

/** A key stands for a step and all before it, so what is between two known keys may be what changed. */
function whyFirst(step: Step, scenario: Scenario, { recording, keys }: RecordedScenario): string {
  const all = stepsOf(scenario)
  const before = all[all.indexOf(step) - 1]
  if (before === undefined) return 'it or what stands above it has changed'
  const known = recording.steps.findIndex(({ key }) => key === keys.get(before.id))
  if (known === -1) return `it or the step "${before.title}" before it has changed`
  // Another one may have stood between the two.
  return isNext(recording.steps, known, step) ? 'it has changed' : 'it has changed, or a step before it is gone'
}

function isNext(recorded: readonly RecordedStep[], index: number, { title }: Step): boolean {
  return recorded[index + 1]?.title === title
}
