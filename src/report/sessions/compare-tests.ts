import type { TestsRan } from '../../commands/fix/session/history.ts'
import { shortenFailure, type Failure, type TestResults } from '../../commands/fix/session/test-results.ts'
import type { Accepted } from '../../commands/fix/session/judge-runs.ts'
import type { ComparedTest } from './session-record.ts'

/** Gives what a results file holds, by its name in the session's folder. */
export type ReadResults = (file: string) => TestResults | undefined

/** Of more tests only the names are told. */
const maxDetails = 20

const order = ['new', 'still', 'fixed'] as const satisfies readonly ComparedTest['change'][]

/** What an attempt has made of the tests that failed before it or after it; what is worse comes first. Pure. */
export function compareTests(
  { before, after }: { readonly before: Accepted | undefined; readonly after: TestsRan },
  results: ReadResults,
): ComparedTest[] {
  const [failedBefore, failedAfter] = [failuresIn(before, results), failuresIn(after, results)]
  const outside = new Set([...(before?.others ?? []), ...after.others])
  const keys = [...new Set([...failedAfter.keys(), ...failedBefore.keys()])]
  const compared = keys.map((key): ComparedTest => {
    const [was, is] = [failedBefore.get(key), failedAfter.get(key)]
    return {
      change: is === undefined ? 'fixed' : was === undefined ? 'new' : 'still',
      key,
      ...(was && { before: was }),
      ...(is && { after: is }),
      ...(outside.has(key) && { isOutside: true }),
    }
  })
  const sorted = compared.toSorted((one, other) => order.indexOf(one.change) - order.indexOf(other.change))
  return sorted.map((test, index) => (index < maxDetails ? test : { change: test.change, key: test.key }))
}

/** The failures of these names; without their details where the results are not there. Pure. */
export function failuresOf(keys: readonly string[], results: TestResults | undefined): Failure[] {
  const known = new Map([...(results?.failing ?? []), ...(results?.others ?? [])].map((each) => [each.key, each]))
  return keys.map((key, index) => {
    const failure = index < maxDetails ? known.get(key) : undefined
    return failure === undefined ? { key, name: key, message: '' } : shortenFailure(failure)
  })
}

function failuresIn(
  run: Pick<Accepted, 'failing' | 'others' | 'resultsFile'> | undefined,
  results: ReadResults,
): ReadonlyMap<string, Failure> {
  if (run === undefined) return new Map()
  const failures = failuresOf([...run.failing, ...run.others], results(run.resultsFile))
  return new Map(failures.map((failure) => [failure.key, failure]))
}
