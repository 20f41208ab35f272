import type { TestRun } from './test-run.ts'

/** How a run went, in one line: `fail: 3 of 500 tests failed, 2 skipped (exit code 1, 4.2 s)`. */
export function formatOutcome({ status, message, counts, exitCode, durationMs }: TestRun): string {
  const counted = counts === null ? [] : [`${counts.failed} of ${counts.total} tests failed, ${counts.skipped} skipped`]
  const said = [...(message === null ? [] : [message]), ...counted].join(' ') || 'no counts'
  const code = exitCode === null ? '' : `exit code ${exitCode}, `
  return `${status}: ${said} (${code}${(durationMs / 1000).toFixed(1)} s)`
}
