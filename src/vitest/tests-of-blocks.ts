import type { RunnerTestCase, RunnerTestFile } from 'vitest'
import { stepsOf, type Block, type Group, type Scenario } from '../spec/spec.ts'
import { testsOfSteps } from './tests-of-steps.ts'

/**
 * The tests that soft assertions and snapshots of blocks belong to. Not the one that is running: where a filter left a step
 * out, it runs in the test of a later one, and its snapshots would get other names.
 */
export function testsOfBlocks(file: RunnerTestFile, scenario: Scenario): ReadonlyMap<Block, RunnerTestCase> {
  const tests = testsOfSteps(file, scenario)
  const ordinals = stepsOf(scenario).map(({ ordinal }) => ordinal)
  const owners = [
    ...ownersBelow(scenario),
    ...pair(scenario.setup?.blocks, ordinals[0]),
    ...pair(scenario.teardown?.blocks, ordinals.at(-1)),
  ]
  return new Map(
    owners.flatMap(([block, ordinal]) => {
      const test = tests.get(ordinal ?? 0)
      return test ? [[block, test] as const] : [] // a pair, not a list
    }),
  )
}

type Owner = readonly [Block, number | undefined]

/** Blocks of a heading with children run before the first step below. */
function ownersBelow(node: Scenario | Group): readonly Owner[] {
  const own = pair(node.blocks, stepsOf(node)[0]?.ordinal)
  const below = node.children.flatMap((child) =>
    child.kind === 'group' ? ownersBelow(child) : pair(child.blocks, child.ordinal),
  )
  return [...own, ...below]
}

function pair(blocks: readonly Block[] = [], ordinal: number | undefined): readonly Owner[] {
  return blocks.map((block) => [block, ordinal])
}
