import { agentStepsOf } from '../../scenario/plan-blocks.ts'
import type { RecordedReason } from '../../records/recorded-reason.ts'
import type { Recording } from '../../spec/recording/recording.ts'
import type { ReplayMode } from '../../spec/recording/replay-mode.ts'
import { mapSteps, type Block, type Scenario, type Spec, type Step, type StepReplay } from '../../spec/spec.ts'
import { needsAgentBeside, replaysOf, staleReason } from './recorded-states.ts'

/** What is replayed of a spec. */
export interface ReplayPlan {
  readonly mode: Exclude<ReplayMode, 'off'>
  /** Whether a recording has all that the spec asks of an agent. */
  readonly isComplete: boolean
  /** Scenarios with recorded blocks in the place of the agent, by ordinal; those that are not there are the agent's. */
  readonly scenarios: Readonly<Record<number, Scenario>>
  /** By ordinal of a scenario, why what is recorded of it is not replayed: it is of an earlier wording. */
  readonly stale: Readonly<Record<number, RecordedReason>>
}

interface ReplayInput {
  readonly mode: Exclude<ReplayMode, 'off'>
  readonly recording: Recording
  /** Keys of the steps of a scenario, by id. */
  keysOf(scenario: Scenario): ReadonlyMap<string, string>
  /** Whether a scenario is run several times: to see how often an agent passes. Default: none is. */
  isRepeated?(scenario: Scenario): boolean
}

/** Decides which steps of a spec are replayed. */
export function planReplay(spec: Pick<Spec, 'scenarios'>, input: ReplayInput): ReplayPlan {
  const planned = spec.scenarios.map((scenario) => {
    const keys = input.keysOf(scenario)
    const isAgents = input.isRepeated?.(scenario) === true || needsAgentBeside(scenario)
    const recording = isAgents ? { ...input.recording, steps: [] } : input.recording
    const recorded = { recording, keys, scenarios: spec.scenarios }
    const replays = replaysOf(scenario, recorded)
    const replayed = replayScenario(scenario, { ...input, recording, keys, replays })
    return { scenario, replays, replayed, stale: staleReason(scenario, recorded) }
  })
  const isComplete = planned.every(({ replays }) => [...replays.values()].every((replay) => replay === 'current'))
  const scenarios = planned.flatMap(({ scenario, replayed }) => (replayed ? [[scenario.ordinal, replayed]] : []))
  // With `only` the steps themselves say it.
  const stale = planned.flatMap((one) =>
    one.stale && input.mode === 'auto' ? [[one.scenario.ordinal, one.stale]] : [],
  )
  return { mode: input.mode, isComplete, scenarios: Object.fromEntries(scenarios), stale: Object.fromEntries(stale) }
}

interface ScenarioReplay extends Pick<ReplayInput, 'mode' | 'recording'> {
  /** Both by id of the step. */
  readonly keys: ReadonlyMap<string, string>
  readonly replays: ReadonlyMap<string, StepReplay>
}

/**
 * A scenario with recorded blocks in the place of the agent; `undefined` where the agent does it all. The agent works
 * first or not at all: it never goes on from what a replay has left, of which it saw nothing.
 */
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
    const recorded = blocks.get(keys.get(step.id) ?? '') ?? []
    return replayedStep(step, { blocks: recorded, replay: replays.get(step.id) ?? 'missing' })
  }
  return mapSteps(scenario, replace)
}

/** A step with recorded blocks in the place of the agent: behind its own, before those that verify. */
function replayedStep(step: Step, { blocks, replay }: Required<Pick<Step, 'blocks' | 'replay'>>): Step {
  const isAfter = ({ role }: Block): boolean => role === 'verify'
  const all = [...step.blocks.filter((one) => !isAfter(one)), ...blocks, ...step.blocks.filter(isAfter)]
  return { ...step, actor: 'code', replay, blocks: all }
}
