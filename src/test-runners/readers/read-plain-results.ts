import { stripVTControlCharacters } from 'node:util'
import { addCounts, noResults } from './common/count-tests.ts'
import { readCargoText } from './plain/cargo.ts'
import { readPlainDart } from './plain/dart.ts'
import { readPlainDotnet } from './plain/dotnet.ts'
import { readPlainGo } from './plain/go.ts'
import { readPlainJest } from './plain/jest.ts'
import { readPlainJvm } from './plain/jvm.ts'
import { readPlainNode } from './plain/node.ts'
import type { PlainReader } from './plain/plain-reader.ts'
import { readPlainPlaywright } from './plain/playwright.ts'
import { readPlainPytest } from './plain/pytest.ts'
import { readPlainVitest } from './plain/vitest.ts'
import type { FailingTest, RunnerResults } from '../runner.ts'

const readers: readonly PlainReader[] = [
  readPlainVitest,
  readPlainJest,
  readPlainPlaywright,
  readPlainNode,
  readPlainPytest,
  readPlainGo,
  (text) => readCargoText(text),
  readPlainDart,
  readPlainDotnet,
  readPlainJvm,
]

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
