import type { ActContext } from '../loop/fix-context.ts'
import { testResultsSchema, type TestResults } from '../session/test-results.ts'

const none: TestResults = {
  total: 0,
  executed: null,
  failing: [],
  others: [],
  blocked: [],
  signature: '',
  is_parsed: true,
  summary_path: '',
}

/** What the tests said of the files as they are. */
export async function acceptedResults({
  progress,
  store,
}: Pick<ActContext, 'progress' | 'store'>): Promise<TestResults> {
  const file = progress.accepted?.resultsFile
  return file === undefined ? none : testResultsSchema.parse(await store.read(file))
}
