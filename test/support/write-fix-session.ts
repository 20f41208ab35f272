import type { AttemptMade } from '../../src/commands/fix/session/finished-acts.ts'
import type { Failure, TestResults } from '../../src/commands/fix/session/test-results.ts'

/** An attempt that changed a file, but for what is given. */
export function attempted(summary: string, given: Partial<AttemptMade> = {}): AttemptMade {
  return {
    kind: 'attempt-made',
    outcome: 'done',
    summary,
    checkpoint: 'attempt-1',
    changedFiles: ['sum.mjs'],
    protectedChanges: [],
    contextUtilization: null,
    ...given,
  }
}

/** What a run said of tests that failed. */
export function results(failing: readonly Partial<Failure>[]): TestResults {
  const full = failing.map((failure) => ({ key: 'sum.test.mjs > adds', name: 'adds', message: 'is wrong', ...failure }))
  const none = { others: [], blocked: [], signature: '', is_parsed: true, summary_path: '' }
  return { total: 9, executed: null, failing: full, ...none }
}
