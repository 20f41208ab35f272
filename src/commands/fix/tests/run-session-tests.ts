import { join } from 'node:path'
import { executedTests } from '../../../test-runners/executed-tests.ts'
import type { FailingTest } from '../../../test-runners/runner.ts'
import type { RunnerName } from '../../../test-runners/runners.ts'
import { runTests } from '../../../test-runners/run/run-tests.ts'
import { inContainer } from './container.ts'
import { runScript } from './run-script.ts'
import { environmentOf, noneExecuted, wholeRun, type SessionTests, type TestContext } from './session-tests.ts'
import { sessionsDir } from '../session/session-store.ts'
import { toTestResults } from '../session/test-results.ts'
import { type TestRun, describeUnplaced } from '../../../test-runners/run/test-run.ts'

const maxOutputBytes = 20_000

/** How many reports of runs stay in a session. */
const keptRuns = 50

/** Runs the tests of a session once: by a runner, or by the script of the session. */
export async function runSessionTests(runner: RunnerName | null, context: TestContext): Promise<SessionTests> {
  return runner === null ? await runScript(context) : await runRunner(runner, context)
}

async function runRunner(runner: RunnerName, context: TestContext): Promise<SessionTests> {
  const { state, trees, runMark, redactor, now, signal } = context
  const { settings } = state
  const { container } = settings
  const { testRun, report } = await runTests(
    {
      runner,
      run: { scope: 'all' },
      limits: {
        timeoutMs: settings.testTimeoutMs,
        noOutputTimeoutMs: settings.testSilenceTimeoutMs,
        maxOutputBytes,
      },
      // In the work tree, which need not be where the session is.
      reportDir: `${sessionsDir}/${state.session_id}/test-runs`,
    },
    {
      root: settings.root,
      trees,
      runMark,
      env: environmentOf(context),
      redactor,
      now,
      keepReports: keptRuns,
      signal,
      ...(container !== null && { wrap: inContainer({ image: container, root: settings.root }) }),
    },
  )
  signal.throwIfAborted()
  const { root, scope } = settings
  return fromTestRun(testRun, { summaryPath: join(report.path, 'summary.json'), root, scope })
}

/** Counts are of tests that were executed: one that is skipped now is one less. */
function fromTestRun(
  testRun: TestRun,
  { summaryPath, root, scope }: { readonly summaryPath: string; readonly root: string; readonly scope: string | null },
): SessionTests {
  const { status, message, counts, failingTests, excerpt, exitCode, signal } = testRun
  const total = counts === null ? failingTests.length : counts.total - counts.skipped
  const isKnown = status === 'pass' || status === 'fail' || (counts !== null && total === 0)
  if (isKnown) {
    const unnamed = Math.max(0, (counts?.failed ?? 0) - failingTests.length)
    const rest: FailingTest[] = unnamed === 0 ? [] : [{ name: `(${unnamed} tests without a name)`, message: excerpt }]
    // A hook, an error outside of tests, a limit of coverage: the run is not green.
    const isUnexplained = exitCode !== 0 && failingTests.length === 0 && unnamed === 0 && total > 0
    if (isUnexplained) rest.push({ name: wholeRun, message: [message ?? status, excerpt].join('\n\n') })
    const executed = executedTests(testRun)
    const raw = { total, executed, failingTests: [...failingTests, ...rest], isParsed: rest.length === 0, summaryPath }
    const results = toTestResults(raw, scope)
    const misread = scope === null ? undefined : describeUnplaced(failingTests, root)
    if (misread !== undefined) return { ok: false, results, message: misread, isSetUp: true }
    return { ok: true, results, executed }
  }
  const failure = { name: wholeRun, message: [message ?? status, excerpt].join('\n\n') }
  const results = toTestResults({ total, failingTests: [failure], isParsed: false, summaryPath }, scope)
  // Code may well hang its tests: that can be fixed.
  if (status === 'timeout' || status === 'no_output') return { ok: true, results, executed: noneExecuted }
  return {
    ok: false,
    results,
    message: `${message ?? status}\n${excerpt}`.trim(),
    isSetUp: exitCode === null && signal === null,
  }
}
