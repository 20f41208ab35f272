import type { RecordedReason } from '../../records/recorded-reason.ts'
import { agentStepsOf } from '../../scenario/plan-blocks.ts'
import { isOfScenario, type RecordedStep, type Recording } from '../../spec/recording/recording.ts'
import { lineOf, stepsOf, type Scenario, type Spec, type Step, type StepReplay } from '../../spec/spec.ts'

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
