import { runWatched, findLostTests } from '../../attempt/attempt.ts'
import type { ActContext } from '../loop/fix-context.ts'
import type { FinishedAct, TestPurpose } from '../session/attempts.ts'
import { acceptedResults } from '../session/test-results.ts'
import { noneExecuted, runSessionTests, type SessionTests } from './session-tests.ts'

export async function runTestsAct(purpose: TestPurpose, context: ActContext): Promise<FinishedAct> {
  const { state, store, progress, checkpoints } = context
  const { result: ran, written } = await runWatched(checkpoints, () =>
    runSessionTests(progress.runner ?? null, context),
  )
  // Without results nothing can be said at first; after an attempt that took them away, it is what the attempt did.
  if (!ran.ok && (purpose === 'baseline' || ran.isSetUp)) return { kind: 'broke', message: ran.message }
  const { results } = ran
  const judges = state.settings.allow_test_edits ? [] : await written()
  const resultsFile = `results/${state.history.length + 1}.json`
  store.write(resultsFile, results)
  store.write('artifacts/test_results.json', results)
  const lost = lostTests(ran, context)
  return {
    ...{ kind: 'tests-ran', purpose, total: results.total, resultsFile },
    ...(lost.length > 0 && { lost: [...lost] }),
    failing: results.failing.map(({ key }) => key),
    others: results.others.map(({ key }) => key),
    blocked: results.blocked,
    signature: results.signature,
    ...(judges.length > 0 && { written: [...judges] }),
  }
}

/** Tests that were executed before the attempt and are not now; a sentence of ours where not all are told. */
function lostTests(ran: SessionTests, context: ActContext): readonly string[] {
  const { openAttempt, accepted } = context.progress
  if (openAttempt === undefined || accepted === undefined || context.state.settings.allow_test_edits) return []
  const { executed, total } = acceptedResults(context)
  const after = ran.ok ? ran.executed : noneExecuted
  const areNamed = executed !== null && after.areAll
  const lost = findLostTests({
    before: executed ?? [],
    after,
    counts: areNamed ? {} : { before: total, after: ran.results.total },
    areTestsAdded: false,
  })
  if (lost === undefined) return []
  return 'missing' in lost ? lost.missing.map(({ name }) => name) : ['(tests without a name)']
}
