import { stripVTControlCharacters } from 'node:util'
import { addCounts, countConsole } from './readers/read-results.ts'
import type { TestCounts } from './runner.ts'
import { runners } from './runners.ts'
import { countVerbose } from './templates/go.ts'

export function readConsoleCounts(text: string): TestCounts | null {
  const plain = stripVTControlCharacters(text).replaceAll('\r\n', '\n').replaceAll('\r', '\n')
  const verbose = countVerbose(plain)
  const told = runners.flatMap(({ console }) => (console === undefined ? [] : countConsole(plain, console)))
  const found = [...told, ...(verbose ? [verbose] : [])]
  return found.length === 0 ? null : addCounts(found)
}

/** Matches failures of Go, which prints no counts: `--- FAIL: TestSum` for a test, `FAIL` and a tab for a package. */
const failedOfGo = /--- FAIL: \S+|^FAIL\t\S+/m

export function toldFailures(text: string, counts = readConsoleCounts(text)): string | undefined {
  if (counts !== null) return counts.failed > 0 ? `${counts.failed} failed` : undefined
  return failedOfGo.exec(stripVTControlCharacters(text))?.[0].replace('\t', ' ')
}

const idle = /^.*(?:\bis up to date\b|Nothing to be done for|\[no tests to run\]|FULL TURBO).*$/m
const noTest =
  /^.*\b(?:(?:ran|executed|running) 0 tests?|no tests?(?: were)? (?:found|ran|run|executed|to run)|0 passing|0 examples)\b.*$/im
const someTest = /\b[1-9]\d* (?:tests?|specs?|examples?|scenarios?|passing|passed|ok)\b/i

/** Returns a line such as `no tests found`. Only for output without counts that mdtest can read. */
export function toldIdle(text: string): string | undefined {
  const plain = stripVTControlCharacters(text)
  const { 0: line, index = 0 } = idle.exec(plain) ?? {}
  return someTest.test(plain.slice(index)) ? undefined : (line ?? noTest.exec(plain)?.[0])
}
