import { judgesWritten } from '../../checkpoint/judge-changes.ts'
import type { ActContext } from '../fix-context.ts'
import type { FinishedAct, TestPurpose } from '../history.ts'
import { runSessionTests } from '../run-session-tests.ts'
import type { SessionTests } from '../session-tests.ts'
import { areTestsAdded, vanishedTests } from '../vanished-tests.ts'
import { acceptedResults } from './accepted-results.ts'

/** Runs the tests, and keeps what they say in a file. */
export async function runTestsAct(purpose: TestPurpose, context: ActContext): Promise<FinishedAct> {
  const { state, store, progress, checkpoints } = context
  const watched = await checkpoints.watch()
  const ran = await runSessionTests(progress.runner ?? null, context)
  // Without results nothing can be said at first; after an attempt that took them away, it is what the attempt did.
  if (!ran.ok && purpose === 'baseline') return { kind: 'broke', message: ran.message }
  if (!ran.ok && ran.isSetUp) return { kind: 'broke', message: ran.message }
  const { results } = ran
  const written = state.settings.allow_test_edits ? [] : judgesWritten(await watched())
  const resultsFile = `results/${state.history.length + 1}.json`
  store.write(resultsFile, results)
  store.write('artifacts/test_results.json', results)
  const keys = (failures: readonly { readonly key: string }[]): string[] => failures.map(({ key }) => key)
  return {
    kind: 'tests-ran',
    purpose,
    total: ran.ok ? await totalOf(ran, context) : results.total,
    failing: keys(results.failing),
    others: keys(results.others),
    blocked: results.blocked,
    signature: results.signature,
    resultsFile,
    ...(written.length > 0 && { written: [...written] }),
  }
}

/** Without tests that failed before and did not run now, whatever ran in their place. */
async function totalOf({ results, passedTests }: SessionTests & { ok: true }, context: ActContext): Promise<number> {
  const { state, progress } = context
  const isAsked = progress.openAttempt !== undefined && !state.settings.allow_test_edits && areTestsAdded(state.history)
  if (passedTests === undefined || progress.accepted === undefined || !isAsked) return results.total
  const accepted = await acceptedResults(context)
  const vanished = vanishedTests([...accepted.failing, ...accepted.others], {
    failing: [...results.failing, ...results.others],
    passed: passedTests,
  })
  if (vanished.length === 0) return results.total
  return Math.max(0, Math.min(results.total, progress.accepted.total - vanished.length))
}
