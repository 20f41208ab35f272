import type { RunnerTestFile } from 'vitest'
import { isLeftOut } from '../../scenario/is-left-out.ts'
import { stepsOf, type Scenario } from '../../spec/spec.ts'
import { testsOfSteps } from './tests-of-steps.ts'

/** Ordinals of the steps of a scenario that this run reports; filters and directives leave out the others. */
export function selectedSteps(file: RunnerTestFile, scenario: Scenario): ReadonlySet<number> {
  const leftOut = new Set(stepsOf(scenario).flatMap((step) => (isLeftOut(step) ? [step.ordinal] : [])))
  const running = [...testsOfSteps(file, scenario)].filter(([, { mode }]) => mode === 'run' || mode === 'queued')
  return new Set(running.map(([ordinal]) => ordinal).filter((ordinal) => !leftOut.has(ordinal)))
}
