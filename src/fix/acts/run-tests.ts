import type { ActContext } from '../fix-context.ts'
import type { FinishedAct, TestPurpose } from '../history.ts'
import { runSessionTests } from '../run-session-tests.ts'

/** Runs the tests, and keeps what they say in a file. */
export async function runTestsAct(purpose: TestPurpose, context: ActContext): Promise<FinishedAct> {
  const { state, store, progress } = context
  const ran = await runSessionTests(progress.runner ?? null, context)
  // Without results nothing can be said at first; after an attempt that took them away, it is what the attempt did.
  if (!ran.ok && purpose === 'baseline') return { kind: 'broke', message: ran.message }
  if (!ran.ok && ran.isSetUp) return { kind: 'broke', message: ran.message }
  const { results } = ran
  const resultsFile = `results/${state.history.length + 1}.json`
  store.write(resultsFile, results)
  store.write('artifacts/test_results.json', results)
  const keys = (failures: readonly { readonly key: string }[]): string[] => failures.map(({ key }) => key)
  return {
    kind: 'tests-ran',
    purpose,
    total: results.total,
    failing: keys(results.failing),
    others: keys(results.others),
    blocked: results.blocked,
    signature: results.signature,
    resultsFile,
  }
}
