import type { ActContext } from '../loop/fix-context.ts'
import { noTestResults, testResultsSchema, type TestResults } from '../session/test-results.ts'

/** What the tests said of the files as they are. */
export async function acceptedResults({
  progress,
  store,
}: Pick<ActContext, 'progress' | 'store'>): Promise<TestResults> {
  const file = progress.accepted?.resultsFile
  return file === undefined ? noTestResults : testResultsSchema.parse(await store.read(file))
}
