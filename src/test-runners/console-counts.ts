import { stripVTControlCharacters } from 'node:util'
import { addCounts, countConsole } from './readers/reading.ts'
import type { TestCounts } from './runner.ts'
import { runners } from './runners.ts'
import { countVerbose } from './templates/go.ts'

/** Best effort: a program can print anything. Nothing where no runner tells numbers. */
export function readConsoleCounts(text: string): TestCounts | null {
  const plain = stripVTControlCharacters(text).replaceAll('\r\n', '\n').replaceAll('\r', '\n')
  const verbose = countVerbose(plain)
  const told = runners.flatMap(({ console }) => (console === undefined ? [] : countConsole(plain, console)))
  const found = [...told, ...(verbose ? [verbose] : [])]
  return found.length === 0 ? null : addCounts(found)
}

/** Where Go tells only what failed it tells no numbers: a test, also behind half a line of its own, or a whole package. */
const failedOfGo = /--- FAIL: \S+|^FAIL\t\S+/m

/** What a command tells of as failed, by what it printed, in words; `undefined` where that is nothing. */
export function toldFailures(text: string, counts = readConsoleCounts(text)): string | undefined {
  if (counts !== null) return counts.failed > 0 ? `${counts.failed} failed` : undefined
  return failedOfGo.exec(stripVTControlCharacters(text))?.[0].replace('\t', ' ')
}
