import type { RunnerTestCase, RunnerTestFile } from 'vitest'
import { planBlocks } from '../../scenario/plan-blocks.ts'
import { stepsOf, type Block, type Scenario } from '../../spec/spec.ts'
import { testsOfSteps } from './tests-of-steps.ts'

/**
 * The tests that soft assertions and snapshots of blocks belong to: of the step, for hooks of the first and the last one. Not
 * the test that is running: where a filter left a step out, it runs in the test of a later one, and its snapshots would
 * get other names.
 */
export function testsOfBlocks(file: RunnerTestFile, scenario: Scenario): ReadonlyMap<Block, RunnerTestCase> {
  const tests = testsOfSteps(file, scenario)
  const steps = stepsOf(scenario)
  const { setup, teardown, of } = planBlocks(scenario)
  const owned = [
    [steps[0], setup] as const,
    ...steps.map((step) => [step, of(step)] as const),
    [steps.at(-1), teardown] as const, // pairs, not lists
  ]
  return new Map(
    owned.flatMap(([step, blocks]) => {
      const test = tests.get(step?.ordinal ?? 0)
      return test ? blocks.map((block) => [block, test] as const) : [] // a pair, not a list
    }),
  )
}
