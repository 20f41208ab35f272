import type { ScenarioInput } from '../scenario/scenario-input.ts'
import type { ScenarioRun } from '../scenario/scenario-run.ts'

/** Starts one run of a scenario. `scenario`: with recorded blocks in the place of the agent, where it is a replay. */
export type StartRun = (
  input: Pick<
    ScenarioInput,
    'attempt' | 'handedOver' | 'rate' | 'isRepetition' | 'onCommand' | 'onBlocks' | 'reproduce'
  > &
    Partial<Pick<ScenarioInput, 'scenario' | 'selected' | 'root' | 'spec' | 'env'>>,
) => ScenarioRun
