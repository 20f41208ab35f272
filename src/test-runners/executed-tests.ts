import type { NamedTest, RunnerResults } from './runner.ts'
import { withoutVariance } from './readers/common/text.ts'

/** The tests that a run executed, as far as its results tell them. */
export interface ExecutedTests {
  readonly tests: readonly NamedTest[]
  /** Whether these are all. */
  readonly areAll: boolean
}

/** Which tests were executed, by name: those that passed or failed. What stands for tests that did not run is none. */
export function executedTests({ counts, failingTests, passedTests }: RunnerResults): ExecutedTests {
  const named = [...(passedTests ?? []), ...failingTests]
  const areAll = passedTests !== undefined && counts !== null && named.length === counts.total - counts.skipped
  const failed = failingTests.filter(({ standsFor }) => standsFor === undefined)
  return { areAll, tests: [...(passedTests ?? []), ...failed].map(toNamed) }
}

function toNamed({ name, file }: NamedTest): NamedTest {
  return { name, ...(file !== undefined && { file }) }
}

/**
 * Tests that were executed before and are not now: gone, renamed or skipped, whatever ran in their place. A test is told
 * by name and file (by name alone where one side does not tell the file), and by what it holds where it became a group.
 * In names, times, addresses and the like may differ. Pure.
 */
export function missingTests(before: readonly NamedTest[], after: readonly NamedTest[]): readonly NamedTest[] {
  const left = new Map<string, NamedTest[]>()
  for (const test of after) left.set(test.name, [...(left.get(test.name) ?? []), test])
  const take = (test: NamedTest, isSame: (other: NamedTest) => boolean): boolean => {
    const same = left.get(test.name) ?? []
    const index = same.findIndex(isSame)
    if (index !== -1) same.splice(index, 1)
    return index !== -1
  }
  const unmatched = before
    .filter((test) => !take(test, ({ file }) => file === test.file))
    .filter((test) => !take(test, ({ file }) => file === undefined || test.file === undefined))
  const groups = new Set(after.flatMap(({ name }) => groupsOf(name)))
  const rest = [...left.values()].flat().map(settledName)
  return unmatched.filter((test) => {
    if (groups.has(test.name)) return false
    const index = rest.indexOf(settledName(test))
    if (index !== -1) rest.splice(index, 1)
    return index === -1
  })
}

function settledName({ name, file }: NamedTest): string {
  return `${file ?? ''}\n${withoutVariance(name)}`
}

/** Of a test within others, as Go and Node.js name it. */
function groupsOf(name: string): readonly string[] {
  const parts = name.split(/(\/| > )/)
  return parts.flatMap((_, index) => (index % 2 === 1 ? [parts.slice(0, index).join('')] : []))
}
