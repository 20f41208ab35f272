import type { ScenarioProblem } from './blocks-between-prose.ts'
import { stepsOf, lineOf, type Scenario } from '../spec.ts'

/** Steps whose `timeout` nobody could keep, because their agent carries out several in one go and reports none. */
export function limitsWithoutReports(scenario: Scenario): readonly ScenarioProblem[] {
  const steps = stepsOf(scenario).filter(
    ({ actor, directives }) => actor === 'agent' && directives.skip === undefined && directives.todo !== true,
  )
  if (steps.length < 2) return []
  return steps
    .filter(({ directives }) => directives.timeoutMs !== undefined)
    .map((step) => ({ ...lineOf(step), column: step.column, ruleId: 'needs-reports', message }))
}

const message =
  'This step has a `timeout`, and its agent does not report while it works, so nobody would know when the step begins and ends. Limit the scenario with `timeout` in the front matter, or use an agent that reports.'
