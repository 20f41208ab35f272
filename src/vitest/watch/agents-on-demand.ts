import { isLeftOut, stepsOf, type Scenario } from '../../spec/spec.ts'
import type { Reason } from '../../verdict/verdict.ts'
import type { RunCause } from './run-cause.ts'

/** Why a scenario does not run in watch mode: agents cost money, so they start only on demand. */
export function onDemandReasons(scenario: Scenario, cause: RunCause): readonly Reason[] {
  if (cause === 'demand' || !stepsOf(scenario).some((step) => step.actor === 'agent' && !isLeftOut(step))) return []
  const message = `The scenario needs an agent, and in watch mode none is started because ${whyNot[cause]}. ${howToStart}`
  return [{ code: 'AGENT_ON_DEMAND', message }]
}

const whyNot = {
  start: 'the watch begins',
  save: 'a file was saved',
  again: 'its spec is not one of those that ran last',
} as const

export const howToStart =
  'Press `a` for all specs, `r` for the last ones again, `p` or `t` to choose some; the option `watchAgents` starts agents in every run.'
