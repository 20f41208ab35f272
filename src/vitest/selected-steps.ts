import type { RunnerTestFile } from 'vitest'
import type { Scenario } from '../spec/spec.ts'
import { testsOfSteps } from './tests-of-steps.ts'

/** Ordinals of the steps of a scenario that this run reports; a filter leaves out the others. */
export function selectedSteps(file: RunnerTestFile, scenario: Scenario): ReadonlySet<number> {
  const running = [...testsOfSteps(file, scenario)].filter(([, { mode }]) => mode === 'run' || mode === 'queued')
  return new Set(running.map(([ordinal]) => ordinal))
}
