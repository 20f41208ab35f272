import { planBlocks } from '../../scenario/plan-blocks.ts'
import type { RunningCode } from '../../host/protocol/protocol.ts'
import { connectHost } from '../../host/server/connect-host.ts'
import { threadId } from 'node:worker_threads'
import { SoftFailures } from '../private-api/soft-failures.ts'
import { restartSnapshots } from '../private-api/untyped-members.ts'
import type { Provided } from '../plugin/provided.ts'
import { fileOfBlock, moduleBlocksOf } from '../modules/module-blocks.ts'
import { describeError, describeLoadError } from './describe-error.ts'
import { type Scenario, type Spec, stepsOf, type Block, placedSteps } from '../../spec/spec.ts'
import { MdtestError } from '../../system/mdtest-error.ts'
import type { ModuleFailure, ModuleRunner } from '../../blocks/module/run-module.ts'
import type { ModuleScope } from '../../blocks/module/module-scope.ts'
import { createExpect, type ExpectStatic, type RunnerTestCase, type RunnerTestFile, type RunnerTask } from 'vitest'

export type BlockImport = () => Promise<{ readonly default: BlockBody }>

type BlockBody = (scope: ModuleScope & { readonly expect: ExpectStatic }) => Promise<void>

interface ExecutorOptions {
  readonly spec: Spec
  readonly scenario: Scenario
  readonly tests: RunnerTestFile
  /** In the order of `moduleBlocksOf`. */
  readonly imports: readonly BlockImport[]
  readonly provided: Provided
  readonly blockTimeoutMs: number
}

export function createModuleExecutor(options: ExecutorOptions): ModuleRunner {
  const { spec, scenario, tests, imports, provided, blockTimeoutMs } = options
  const { root } = provided
  const blocks = moduleBlocksOf(spec)
  const testOf = testsOfBlocks(tests, scenario)
  const begun = new Set<RunnerTestCase>()
  const execute: ModuleRunner = async (block, scope, { over, onCompared }) => {
    const place = { file: fileOfBlock(spec, block), root, block }
    const test = testOf.get(block)
    const softFailures = test && new SoftFailures(test)
    const expect = createExpect(softFailures?.test)
    if (test && !begun.has(test)) restartSnapshots(test, expect)
    if (test) begun.add(test)
    const loaded = await imports[blocks.indexOf(block)]?.().catch((error: unknown) => describeLoadError(error, place))
    if (!loaded) throw new MdtestError('SPEC_INTERNAL', 'The module of the spec imports no such block.')
    if ('message' in loaded) return [loaded]
    // If the block's verdict came while its module was loading, do not run the module.
    if (over.aborted) return []
    const writtenBefore = writtenBy(expect)
    const thrown = await loaded.default({ ...scope, expect }).then(
      () => findMissingAssertions(expect),
      (error: unknown) => [error],
    )
    const recorded = (await softFailures?.settle()) ?? []
    const written = writtenBy(expect) - writtenBefore
    onCompared({ written, held: Math.max(0, expect.getState().assertionCalls - written) })
    return [...recorded, ...thrown].map((error): ModuleFailure => describeError(error, place))
  }
  return (block, scope, run) => {
    const limitMs = block.attributes.timeoutMs ?? blockTimeoutMs
    const code = { file: fileOfBlock(spec, block), line: block.line, limitMs }
    return watched(code, provided, () => execute(block, scope, run))
  }
}

/** Checks `expect.assertions` and `expect.hasAssertions` for this block. */
function findMissingAssertions(expect: ExpectStatic): readonly unknown[] {
  const { assertionCalls, expectedAssertionsNumber, isExpectingAssertions, ...errors } = expect.getState()
  if (expectedAssertionsNumber !== null && expectedAssertionsNumber !== assertionCalls) {
    return [errors.expectedAssertionsNumberErrorGen?.()]
  }
  return isExpectingAssertions && assertionCalls === 0 ? [errors.isExpectingAssertionsError] : []
}

/** Number of snapshots that were added or updated. */
function writtenBy(expect: ExpectStatic): number {
  const { added, updated } = expect.getState().snapshotState
  return added.total() + updated.total()
}

/** Tells the host about running code, because only the main process can end code that never awaits. */
async function watched<T>(
  code: Pick<RunningCode, 'file' | 'line' | 'limitMs'>,
  { address, isDebugged }: Provided,
  run: () => Promise<T>,
): Promise<T> {
  if (isDebugged) return run()
  // Needs its own connection, because the scenario's connection may be closed earlier.
  using host = connectHost(address)
  await host.codeStarted({ ...code, threadId, pid: process.pid })
  return await run()
}

/** The test that names a block's snapshots. For setup blocks, the first step's test; for teardown, the last step's. */
function testsOfBlocks(file: RunnerTestFile, scenario: Scenario): ReadonlyMap<Block, RunnerTestCase> {
  const tests = testsOfSteps(file, scenario)
  const steps = stepsOf(scenario)
  const { setup, teardown, of } = planBlocks(scenario)
  const owned = [
    [steps[0], setup] as const,
    ...steps.map((step) => [step, of(step)] as const),
    [steps.at(-1), teardown] as const,
  ]
  return new Map(
    owned.flatMap(([step, blocks]) => {
      const test = tests.get(step?.ordinal ?? 0)
      return test ? blocks.map((block) => [block, test] as const) : []
    }),
  )
}

/** Tests by the ordinal of their step. Compares titles, which are unique below their heading. */
export function testsOfSteps(file: RunnerTestFile, scenario: Scenario): ReadonlyMap<number, RunnerTestCase> {
  const tests = new Map(file.tasks.flatMap((task) => testsByPath(task, [])))
  return new Map(
    placedSteps(scenario).flatMap(({ step, titles }) => {
      const test = tests.get(pathName(titles))
      return test ? [[step.ordinal, test] as const] : []
    }),
  )
}

function pathName(titles: readonly string[]): string {
  return JSON.stringify(titles)
}

function testsByPath(task: RunnerTask, above: readonly string[]): readonly (readonly [string, RunnerTestCase])[] {
  const path = [...above, task.name]
  return task.type === 'suite' ? task.tasks.flatMap((child) => testsByPath(child, path)) : [[pathName(path), task]]
}
