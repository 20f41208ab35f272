import { agentStepsOf } from '../../scenario/plan-blocks.ts'
import type { RecordedReason } from '../../records/recorded-reason.ts'
import { type Recording, isOfScenario, type RecordedStep } from '../../spec/recording/recording.ts'
import type { ReplayMode } from '../../spec/front-matter/front-matter.ts'
import { inOrder, mapSteps, type Scenario, type Spec, type Step, type StepReplay, lineOf } from '../../spec/spec.ts'

export interface ReplayPlan {
  readonly mode: Exclude<ReplayMode, 'off'>
  readonly isComplete: boolean
  readonly scenarios: Readonly<Record<number, Scenario>>
  /** By scenario ordinal: the reason that an outdated recording is not replayed. */
  readonly stale: Readonly<Record<number, RecordedReason>>
}

interface ReplayInput {
  readonly mode: Exclude<ReplayMode, 'off'>
  readonly recording: Recording
  keysOf(scenario: Scenario): ReadonlyMap<string, string>
  /** Whether a scenario runs several times: such runs measure the agent, so they are not replayed. */
  isRepeated?(scenario: Scenario): boolean
}

export function planReplay(spec: Pick<Spec, 'scenarios'>, input: ReplayInput): ReplayPlan {
  const planned = spec.scenarios.map((scenario) => {
    const keys = input.keysOf(scenario)
    const needsAgent = input.isRepeated?.(scenario) === true || needsAgentBeside(scenario)
    const recording = needsAgent ? { ...input.recording, steps: [] } : input.recording
    const replays = replaysOf(scenario, { recording, keys, scenarios: spec.scenarios })
    const replayed = replayScenario(scenario, { ...input, recording, keys, replays })
    return { scenario, replays, replayed, stale: staleReason(scenario, replays) }
  })
  const isComplete = planned.every(({ replays }) => [...replays.values()].every((replay) => replay === 'current'))
  const scenarios = planned.flatMap(({ scenario, replayed }) => (replayed ? [[scenario.ordinal, replayed]] : []))
  // In mode `only`, each stale step shows the reason itself.
  const stale = planned.flatMap((one) =>
    one.stale && input.mode === 'auto' ? [[one.scenario.ordinal, one.stale]] : [],
  )
  return { mode: input.mode, isComplete, scenarios: Object.fromEntries(scenarios), stale: Object.fromEntries(stale) }
}

interface ScenarioReplay extends Pick<ReplayInput, 'mode' | 'recording'> {
  readonly keys: ReadonlyMap<string, string>
  readonly replays: ReadonlyMap<string, StepReplay>
}

/** Mode `auto` replays only steps at the end: an agent cannot continue after steps that it did not see. */
function replayScenario(scenario: Scenario, { mode, recording, keys, replays }: ScenarioReplay): Scenario | undefined {
  const steps = agentStepsOf(scenario)
  if (steps.length === 0) return undefined
  const lastWithout = steps.findLastIndex(({ id }) => replays.get(id) !== 'current')
  const replayed = mode === 'only' ? steps : steps.slice(lastWithout + 1)
  if (replayed.length === 0) return undefined
  const blocks = new Map(recording.steps.map((step) => [step.key, step.blocks]))
  const ids = new Set(replayed.map(({ id }) => id))
  const replace = (step: Step): Step => {
    if (!ids.has(step.id)) return step
    const replay = replays.get(step.id) ?? 'missing'
    return { ...step, actor: 'code', replay, blocks: inOrder(step.blocks, blocks.get(keys.get(step.id) ?? '') ?? []) }
  }
  return mapSteps(scenario, replace)
}

export interface RecordedScenario {
  readonly recording: Recording
  readonly keys: ReadonlyMap<string, string>
  /** All scenarios of the spec, to find steps that were recorded for another scenario. */
  readonly scenarios: Spec['scenarios']
}

/** State of the recording for each step that needs an agent, by step id. */
export function replaysOf(
  scenario: Scenario,
  { recording, keys, scenarios }: RecordedScenario,
): ReadonlyMap<string, StepReplay> {
  const steps = needsAgentBeside(scenario) ? [] : recording.steps
  const recorded = new Set(steps.map(({ key }) => key))
  // A recorded title that no scenario has can be a former title of this scenario.
  const isOwn = (step: RecordedStep): boolean =>
    isOfScenario(step, scenarioHead(scenario)) || !scenarios.some((one) => isOfScenario(step, scenarioHead(one)))
  const titles = new Set(steps.filter(isOwn).map(({ title }) => title))
  const replayOf = ({ id, title }: Step): StepReplay =>
    recorded.has(keys.get(id) ?? '') ? 'current' : titles.has(title) ? 'stale' : 'missing'
  return new Map(agentStepsOf(scenario).map((step) => [step.id, replayOf(step)]))
}

function scenarioHead({ title, hasDescribe }: Scenario): Parameters<typeof isOfScenario>[1] {
  return { title, isStep: !hasDescribe }
}

/** Whether set-up or tear-down has prose, which needs an agent: recordings contain only steps. */
function needsAgentBeside({ setup, teardown }: Scenario): boolean {
  return [setup, teardown].some((hook) => hook?.hasProse === true)
}

export const whyStale = 'it, or what stands before it, has changed'

function staleReason(scenario: Scenario, replays: ReadonlyMap<string, StepReplay>): RecordedReason | undefined {
  const step = agentStepsOf(scenario).find(({ id }) => replays.get(id) === 'stale')
  if (step === undefined) return undefined
  const message = `The recording of "${step.title}" does not fit any more: ${whyStale}. Record it again with \`mdtest record\`.`
  return { code: 'REPLAY_STALE', cause: 'spec changed', message, ...lineOf(step) }
}
