import { sep } from 'node:path'
import type { TestCase, TestModule, TestSuite } from 'vitest/node'
import { type Outcome, summarizeOutcomes } from '../../records/outcome.ts'
import type {} from '../plugin/provided.ts'

export interface SpecResult {
  /** Absolute path, separated by slashes. */
  readonly file: string
  readonly outcome: Outcome
  /** Set if Vitest has no result for the file, because it was not found or its worker did not start. */
  readonly isMissing?: true
}

/** Results of all `files`. A file without a result counts as failed. */
export function specResults(modules: readonly TestModule[], files: readonly string[]): readonly SpecResult[] {
  const results = modules.map((module) => ({ file: module.moduleId, outcome: outcomeOf(module) }))
  const known = new Set(results.map(({ file }) => file))
  const missing = files.filter((file) => !known.has(file.split(sep).join('/')))
  return [...results, ...missing.map((file) => ({ file, outcome: 'fail', isMissing: true }) as const)]
}

/** A test, and before it the suites around it, the outermost first. */
export function pathOf(test: TestCase): readonly (TestCase | TestSuite)[] {
  const path: (TestCase | TestSuite)[] = [test]
  for (let { parent }: TestCase | TestSuite = test; parent.type === 'suite'; { parent } = parent) path.unshift(parent)
  return path
}

export function outcomeOf(module: TestModule): Outcome {
  const tests = [...module.children.allTests()].map((test): Outcome => {
    const { state } = test.result()
    if (state === 'passed') return 'pass'
    // The test is still pending because its worker has died.
    if (state === 'pending') return 'fail'
    if (state !== 'failed') return 'skipped'
    return test.meta().mdtest?.outcome === 'blocked' ? 'blocked' : 'fail'
  })
  const hasErrors =
    module.errors().length > 0 || [...module.children.allSuites()].some((suite) => suite.errors().length > 0)
  return hasErrors ? 'fail' : summarizeOutcomes(tests)
}
