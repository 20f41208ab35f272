import { stripVTControlCharacters } from 'node:util'
import { addCounts, countConsole } from './readers/read-results.ts'
import { unixText } from '../system/text/plain-text.ts'
import type { TestCounts } from './runner.ts'
import { runners } from './runners.ts'
import { countVerbose } from './templates/go.ts'

function plainLines(text: string): string {
  return unixText(stripVTControlCharacters(text))
}

export function readConsoleCounts(text: string): TestCounts | null {
  const plain = plainLines(text)
  const verbose = countVerbose(plain)
  const told = runners.flatMap(({ console }) => (console === undefined ? [] : countConsole(plain, console)))
  const found = [...told, ...(verbose ? [verbose] : [])]
  return found.length === 0 ? null : addCounts(found)
}

/** Where a runner has printed counts, only lines of this runner report failures besides. */
export function toldFailures(text: string, counts = readConsoleCounts(text)): string | undefined {
  if (counts !== null && counts.failed > 0) return `${counts.failed} failed`
  const plain = plainLines(text)
  const lines = runners.flatMap(({ console, failure }) => {
    const isOwn = counts === null || (console !== undefined && countConsole(plain, console).length > 0)
    return (isOwn && failure?.exec(plain)?.[0].trim()) || []
  })
  return lines[0]?.replace('\t', ' ')
}

/** Lines that say that nothing was done. They count only if a program prints no others. */
const idle =
  /\bis up to date\b|Nothing to be done for|no work to do|\[no test(?: file)?s(?: to run)?\]|^1\.\.0\b|^> Task (?!\S*:\w*[tT]est UP)\S+ (?:UP-TO-DATE|NO-SOURCE)$/
/** Lines around others: of npm, make, TAP and Gradle. */
const frame =
  /^\s*$|^> (?!Task )|^\w*make(?:\[\d+\])?: (?:Entering|Leaving) directory|^TAP version|^BUILD SUCCESSFUL|^\d+ actionable task/
const noTest =
  /^.*\b(?:(?:ran|executed|running) 0 tests?|(?<!\[)no tests?(?: were)? (?:found|ran|run|executed|to run)|(?<![\d.,])0 (?:passing|passed|examples)|FULL TURBO)\b.*$/im
const someTest = /\b[1-9]\d* (?:tests?|specs?|examples?|scenarios?|passing|passed|ok)\b/i

/** Returns a line such as `no tests found`. Only for output without counts that mdtest can read. */
export function toldIdle(text: string): string | undefined {
  const plain = plainLines(text)
  const [line, ...others] = plain.split('\n').filter((each) => !frame.test(each))
  if (line !== undefined && [line, ...others].every((each) => idle.test(each))) return line
  return someTest.test(plain) ? undefined : noTest.exec(plain)?.[0]
}
