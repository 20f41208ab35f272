import type { FailingTest, NamedTest, RunScope, TestCounts } from '../runner.ts'
import type { RunnerName } from '../runners.ts'

/** One run of a project's tests, as asked for. */
export interface TestRunRequest {
  readonly runner: RunnerName
  readonly run: RunScope
  readonly limits: TestRunLimits
  /**
   * Folder in which the run gets a folder of its own; relative to the repository.
   * @default '.cache/mdtest/reports'
   */
  readonly reportDir?: string | undefined
}

export interface TestRunLimits {
  /** Of the whole run, in milliseconds, from 1. */
  readonly timeoutMs: number
  /** Without output, in milliseconds, from 1. */
  readonly noOutputTimeoutMs: number
  /** How much of the end of the output is looked at, and how long an excerpt of it may be, in bytes. */
  readonly maxOutputBytes: number
}

/**
 * `error`: nothing can be said of the tests, for example because none was executed. Only where tests were executed
 * and are known to have passed is it `pass`.
 */
export type TestRunStatus = 'pass' | 'fail' | 'timeout' | 'no_output' | 'error'

/** How a run went. */
export interface TestRun {
  readonly request: TestRunRequest
  /** The runner's template for this scope, for people. */
  readonly template: string
  /** What was started; empty where it did not come to that. */
  readonly argv: readonly string[]
  readonly status: TestRunStatus
  /** Why, in one sentence, where the status alone does not say it. */
  readonly message: string | null
  readonly exitCode: number | null
  readonly signal: string | null
  /** ISO 8601, UTC. */
  readonly startedAt: string
  readonly durationMs: number
  /** Of both streams. */
  readonly outputBytes: number
  readonly counts: TestCounts | null
  readonly failingTests: readonly FailingTest[]
  /** For those who compare runs; in no summary. */
  readonly passedTests?: readonly NamedTest[]
  /** Parts of the output that look like failures, in order, the last ones where there are many. */
  readonly blocks: readonly string[]
  /** The last lines. */
  readonly tail: string
  /** All of that in one text of at most `maxOutputBytes`. */
  readonly excerpt: string
  /** Why the raw log is incomplete or missing. */
  readonly rawLogError?: string
}

/** How a run went, in one line: `fail: 3 of 500 tests failed, 2 skipped (exit code 1, 4.2 s)`. */
export function formatOutcome({ status, message, counts, exitCode, durationMs }: TestRun): string {
  const counted = counts === null ? [] : [`${counts.failed} of ${counts.total} tests failed, ${counts.skipped} skipped`]
  const said = [...(message === null ? [] : [message]), ...counted].join(' ') || 'no counts'
  const code = exitCode === null ? '' : `exit code ${exitCode}, `
  return `${status}: ${said} (${code}${(durationMs / 1000).toFixed(1)} s)`
}
