import { createExpect, type ExpectStatic, type RunnerTestCase, type RunnerTestFile } from 'vitest'
import type { ModuleBlock, ModuleFailure, ModuleRunner } from '../blocks/run-module.ts'
import type { ModuleScope } from '../blocks/module-scope.ts'
import { stepsOf, type Block, type Group, type Scenario, type Spec } from '../spec/spec.ts'
import { describeError, describeLoadError } from './describe-error.ts'
import { moduleBlocksOf } from './module-blocks.ts'
import { openSoftFailures } from './soft-failures.ts'
import { testsOfSteps } from './tests-of-steps.ts'

/** Imports the module of a block, which is a function. */
export type BlockImport = () => Promise<{
  readonly default: (scope: ModuleScope & { readonly expect: ExpectStatic }) => Promise<void>
}>

interface ExecutorOptions {
  readonly spec: Spec
  readonly scenario: Scenario
  /** The tests of the spec. */
  readonly tests: RunnerTestFile
  /** In the order of `moduleBlocksOf`. */
  readonly imports: readonly BlockImport[]
  /** Absolute path of the suite root. */
  readonly root: string
}

/** What executes the `ts` and `js` blocks in one attempt at a scenario. */
export function createModuleExecutor({ spec, scenario, tests, imports, root }: ExecutorOptions): ModuleRunner {
  const blocks = moduleBlocksOf(spec)
  const testOf = createTestFinder(scenario, tests)
  const begun = new Set<RunnerTestCase>()
  return async (block, scope) => {
    const place = { file: spec.file, root, block }
    const load = imports[blocks.indexOf(block)]
    const test = testOf(block)
    const expect = createExpect(test)
    if (test && !begun.has(test)) restartSnapshots(test, expect)
    if (test) begun.add(test)
    const softFailures = openSoftFailures(test)
    const describe = (error: unknown): ModuleFailure => describeError(error, place)
    let module: Awaited<ReturnType<BlockImport>> | undefined
    try {
      module = await load?.()
    } catch (error: unknown) {
      return [describeLoadError(error, place)]
    }
    const thrown = await Promise.resolve(module?.default({ ...scope, expect })).then(
      () => findMissingAssertions(expect),
      (error: unknown) => [error],
    )
    return [...softFailures.take(), ...thrown].map(describe)
  }
}

/**
 * The test that soft assertions and snapshots of a block belong to. Not the one that is running: where a filter left the
 * step out, it runs in the test of a later one, and its snapshots would get other names.
 */
function createTestFinder(
  scenario: Scenario,
  file: RunnerTestFile,
): (block: ModuleBlock) => RunnerTestCase | undefined {
  const tests = testsOfSteps(file, scenario)
  const steps = stepsOf(scenario)
  const owners = new Map<Block, number | undefined>()
  const assign = (blocks: readonly Block[] = [], ordinal: number | undefined): void => {
    for (const block of blocks) owners.set(block, ordinal)
  }
  const assignBelow = (node: Scenario | Group): void => {
    assign(node.blocks, stepsOf(node)[0]?.ordinal)
    for (const child of node.children) {
      if (child.kind === 'group') assignBelow(child)
      else assign(child.blocks, child.ordinal)
    }
  }
  assignBelow(scenario)
  assign(scenario.setup?.blocks, steps[0]?.ordinal)
  assign(scenario.teardown?.blocks, steps.at(-1)?.ordinal)
  return (block) => tests.get(owners.get(block) ?? 0)
}

/** A retry of the scenario compares with the same snapshots again. Vitest does this for the test that it runs. */
function restartSnapshots({ id }: RunnerTestCase, expect: ExpectStatic): void {
  const state: { clearTest?(id: string): void } | undefined = Reflect.get(expect.getState(), 'snapshotState')
  state?.clearTest?.(id)
}

/** `expect.assertions` and `expect.hasAssertions` hold for the block. */
function findMissingAssertions(expect: ExpectStatic): readonly unknown[] {
  const { assertionCalls, expectedAssertionsNumber, isExpectingAssertions, ...errors } = expect.getState()
  if (expectedAssertionsNumber !== null && expectedAssertionsNumber !== assertionCalls) {
    return [errors.expectedAssertionsNumberErrorGen?.()]
  }
  return isExpectingAssertions && assertionCalls === 0 ? [errors.isExpectingAssertionsError] : []
}
