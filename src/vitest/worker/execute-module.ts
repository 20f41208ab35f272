import { createExpect, type ExpectStatic, type RunnerTestCase, type RunnerTestFile } from 'vitest'
import type { ModuleScope } from '../../blocks/module/module-scope.ts'
import type { ModuleFailure, ModuleRunner } from '../../blocks/module/run-module.ts'
import { MdtestError } from '../../system/mdtest-error.ts'
import type { Scenario, Spec } from '../../spec/spec.ts'
import { describeError, describeLoadError } from './describe-error.ts'
import { fileOfBlock, moduleBlocksOf } from '../modules/module-blocks.ts'
import type { Provided } from '../plugin/provided.ts'
import { countSnapshots } from './snapshot-counts.ts'
import { openSoftFailures } from './soft-failures.ts'
import { testsOfBlocks } from './tests-of-blocks.ts'
import { watched } from './watched.ts'

/** Imports the module of a block, which is a function. */
export type BlockImport = () => Promise<{ readonly default: BlockBody }>

type BlockBody = (scope: ModuleScope & { readonly expect: ExpectStatic }) => Promise<void>

interface ExecutorOptions {
  readonly spec: Spec
  readonly scenario: Scenario
  /** The tests of the spec. */
  readonly tests: RunnerTestFile
  /** In the order of `moduleBlocksOf`. */
  readonly imports: readonly BlockImport[]
  readonly provided: Provided
  readonly blockTimeoutMs: number
}

/** What executes the `ts` and `js` blocks in one attempt at a scenario. */
export function createModuleExecutor(options: ExecutorOptions): ModuleRunner {
  const { spec, scenario, tests, imports, provided, blockTimeoutMs } = options
  const { root } = provided
  const blocks = moduleBlocksOf(spec)
  const testOf = testsOfBlocks(tests, scenario)
  const begun = new Set<RunnerTestCase>()
  const execute: ModuleRunner = async (block, scope, { over, onCompared }) => {
    const place = { file: fileOfBlock(spec, block), root, block }
    const test = testOf.get(block)
    const softFailures = test && openSoftFailures(test)
    const expect = createExpect(softFailures?.test)
    if (test && !begun.has(test)) restartSnapshots(test, expect)
    if (test) begun.add(test)
    const loaded = await load(imports[blocks.indexOf(block)]).catch((error: unknown) => describeLoadError(error, place))
    if (typeof loaded !== 'function') return [loaded]
    // It took too long to load: what it does would come after the verdict.
    if (over.aborted) return []
    const comparisons = countSnapshots(expect)
    const thrown = await loaded({ ...scope, expect }).then(
      () => findMissingAssertions(expect),
      (error: unknown) => [error],
    )
    const recorded = (await softFailures?.settle()) ?? []
    onCompared(comparisons())
    return [...recorded, ...thrown].map((error): ModuleFailure => describeError(error, place))
  }
  return (block, scope, run) => {
    const limitMs = block.attributes.timeoutMs ?? blockTimeoutMs
    const code = { file: fileOfBlock(spec, block), line: block.line, limitMs }
    return watched(code, provided, () => execute(block, scope, run))
  }
}

async function load(blockImport: BlockImport | undefined): Promise<BlockBody> {
  if (!blockImport) throw new MdtestError('SPEC_INTERNAL', 'The module of the spec imports no such block.')
  return (await blockImport()).default
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
