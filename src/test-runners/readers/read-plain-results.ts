import { stripVTControlCharacters } from 'node:util'
import { addCounts, noResults } from './common/count-tests.ts'
import type { FailingTest, RunnerResults } from '../runner.ts'
import { runners } from '../runners.ts'

/** Some are of several runners. */
const readers = [...new Set(runners.flatMap(({ readPlain }) => readPlain ?? []))]

/**
 * Reads what a test command printed, whichever of the known runners it started, several too. Best effort: a program can
 * print anything. `counts` is `null` where one of them did not tell.
 */
export function readPlainResults(text: string): RunnerResults {
  const plain = stripVTControlCharacters(text).replaceAll('\r\n', '\n')
  const found = readers.flatMap((read) => read(plain) ?? [])
  const counts = found.flatMap((results) => results.counts ?? [])
  if (found.length === 0) return noResults
  return {
    counts: counts.length === found.length ? addCounts(counts) : null,
    failingTests: withoutRepeats(found.flatMap(({ failingTests }) => failingTests)),
    ...(found.every(({ passedTests }) => passedTests !== undefined) && {
      passedTests: found.flatMap(({ passedTests }) => passedTests ?? []),
    }),
  }
}

/** Some runners tell of a failure twice. */
function withoutRepeats(tests: readonly FailingTest[]): readonly FailingTest[] {
  return [...new Map(tests.toReversed().map((test) => [`${test.file}\0${test.name}`, test])).values()].toReversed()
}
