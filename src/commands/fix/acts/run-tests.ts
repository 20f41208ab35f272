import { runWatched } from '../../attempt/attempt.ts'
import { findLostTests } from '../../attempt/lost-tests.ts'
import type { ActContext } from '../loop/fix-context.ts'
import type { FinishedAct, TestPurpose } from '../session/history.ts'
import { runSessionTests } from '../tests/run-session-tests.ts'
import { noneExecuted, type SessionTests } from '../tests/session-tests.ts'
import { acceptedResults } from '../session/test-results.ts'

/** Runs the tests, and keeps what they say in a file. */
export async function runTestsAct(purpose: TestPurpose, context: ActContext): Promise<FinishedAct> {
  const { state, store, progress, checkpoints } = context
  const watched = await runWatched(checkpoints, () => runSessionTests(progress.runner ?? null, context))
  const ran = watched.result
  // Without results nothing can be said at first; after an attempt that took them away, it is what the attempt did.
  if (!ran.ok && purpose === 'baseline') return { kind: 'broke', message: ran.message }
  if (!ran.ok && ran.isSetUp) return { kind: 'broke', message: ran.message }
  const { results } = ran
  const written = await watched.written({ allowTestEdits: state.settings.allowTestEdits })
  const resultsFile = `results/${state.history.length + 1}.json`
  store.write(resultsFile, results)
  store.write('artifacts/test_results.json', results)
  const keys = (failures: readonly { readonly key: string }[]): string[] => failures.map(({ key }) => key)
  const lost = await lostTests(ran, context)
  return {
    kind: 'tests-ran',
    purpose,
    total: results.total,
    ...(lost.length > 0 && { lost: [...lost] }),
    failing: keys(results.failing),
    others: keys(results.others),
    blocked: results.blocked,
    signature: results.signature,
    resultsFile,
    ...(written.length > 0 && { written: [...written] }),
  }
}

/** Tests that were executed before the attempt and are not now; a sentence of ours where not all are told. */
async function lostTests(ran: SessionTests, context: ActContext): Promise<readonly string[]> {
  const { state, progress } = context
  if (progress.openAttempt === undefined || progress.accepted === undefined) return []
  if (state.settings.allowTestEdits) return []
  const { executed, total } = await acceptedResults(context)
  const after = ran.ok ? ran.executed : noneExecuted
  const areNamed = executed !== null && after.areAll
  const lost = findLostTests({
    before: executed ?? [],
    after,
    counts: areNamed ? {} : { before: total, after: ran.results.total },
    areTestsAdded: false,
  })
  if (lost === undefined) return []
  return 'missing' in lost ? lost.missing.map(({ name }) => name) : [untoldTests]
}

const untoldTests = '(tests without a name)'
