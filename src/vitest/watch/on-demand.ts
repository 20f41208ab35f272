import { isLeftOut } from '../../scenario/plan-blocks.ts'
import { stepsOf, type Scenario } from '../../spec/spec.ts'
import type { Reason } from '../../verdict/verdict.ts'
import type { RunCause } from './run-cause.ts'

/** An agent costs money, and the run came by itself. All steps wait: blocks without the agent's work say nothing. */
export function onDemandReasons(scenario: Scenario, cause: RunCause): readonly Reason[] {
  if (cause === 'demand' || !stepsOf(scenario).some((step) => step.actor === 'agent' && !isLeftOut(step))) return []
  const message = `An agent carries out the scenario, and in watch mode none is started because ${whyNot[cause]}. ${howToStart}`
  return [{ code: 'AGENT_ON_DEMAND', message }]
}

const whyNot = {
  start: 'the watch begins',
  save: 'a file was saved',
  again: 'its spec is none of those that ran last',
} as const // literal keys

/** The last lines of a run print it, too. */
export const howToStart =
  'Press `a` for all specs, `r` for the last ones again, `p` or `t` to choose some; the option `watchAgents` starts agents in every run.'
