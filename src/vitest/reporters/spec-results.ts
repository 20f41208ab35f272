import { sep } from 'node:path'
import type { TestModule } from 'vitest/node'
import { summarizeOutcomes } from '../../verdict/summarize-outcomes.ts'
import type { Outcome } from '../../records/outcome.ts'
import type {} from '../plugin/provided.ts'

/** What became of one spec file. */
export interface SpecResult {
  /** Absolute path, with slashes where Vitest knows the file. */
  readonly file: string
  readonly outcome: Outcome
  /** Vitest knows of no such test file: it was not found, or its worker could not be started. */
  readonly isMissing?: true
}

/** What became of each spec. What was asked for and has no result would be a pass that checked nothing. */
export function specResults(modules: readonly TestModule[], files: readonly string[]): readonly SpecResult[] {
  const results = modules.map((module) => ({ file: module.moduleId, outcome: outcomeOf(module) }))
  const known = new Set(results.map(({ file }) => file))
  const missing = files.filter((file) => !known.has(file.split(sep).join('/')))
  return [...results, ...missing.map((file) => ({ file, outcome: 'fail', isMissing: true }) as const)] // literals
}

/** The worst that became of a spec's tests. */
export function outcomeOf(module: TestModule): Outcome {
  const tests = [...module.children.allTests()].map((test): Outcome => {
    const { state } = test.result()
    if (state === 'passed') return 'pass'
    // Its worker is gone.
    if (state === 'pending') return 'fail'
    if (state !== 'failed') return 'skipped'
    return test.meta().mdtest?.outcome === 'blocked' ? 'blocked' : 'fail'
  })
  const hasErrors =
    module.errors().length > 0 || [...module.children.allSuites()].some((suite) => suite.errors().length > 0)
  return hasErrors ? 'fail' : summarizeOutcomes(tests)
}
