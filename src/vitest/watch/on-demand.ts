import { isLeftOut } from '../../scenario/plan-blocks.ts'
import { stepsOf, type Scenario } from '../../spec/spec.ts'
import type { Reason } from '../../verdict/verdict.ts'
import type { RunCause } from './run-cause.ts'

/**
 * Why a scenario waits until somebody asks for it: it needs an agent, which costs money, and the run comes of itself. All
 * of it waits: what its blocks would find without the agent's work says nothing.
 */
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

/** Also for whoever reads the last lines of a run only. */
export const howToStart =
  'Press `a` for all specs, `r` for the last ones again, `p` or `t` to choose some; the option `watchAgents` starts agents in every run.'
