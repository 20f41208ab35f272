import { dirname } from 'node:path'
import type { NamedTest, RunnerResults } from './runner.ts'

export interface ExecutedTests {
  readonly tests: readonly NamedTest[]
  readonly areAll: boolean
  readonly skipped?: readonly NamedTest[]
}

/** A file or folder that failed as a whole is listed as a test whose name is the file or folder. */
export function executedTests({ counts, failingTests, passedTests, skippedTests }: RunnerResults): ExecutedTests {
  const named = (passedTests?.length ?? 0) + failingTests.length
  const areAll = passedTests !== undefined && counts !== null && named === counts.total - counts.skipped
  const failed = failingTests.flatMap(({ standsFor, ...test }): readonly NamedTest[] => {
    if (standsFor === undefined) return [test]
    return standsFor === 'any' ? [] : [{ name: standsFor.testsIn, file: standsFor.testsIn }]
  })
  const tests = [...(passedTests ?? []), ...failed]
  return {
    areAll,
    tests: tests.map(({ name, file }) => ({ name, ...(file !== undefined && { file }) })),
    ...(skippedTests && { skipped: skippedTests }),
  }
}

/** Lists tests of `before` that are not in `after`. A group, or a file or folder that failed as a whole, is replaced by any test inside. */
export function missingTests(
  before: readonly NamedTest[],
  after: readonly NamedTest[],
  skipped: readonly NamedTest[] = [],
): readonly NamedTest[] {
  const left = byName(after)
  const take = (test: NamedTest, isSame: (other: NamedTest) => boolean): boolean =>
    takeFirst(left.get(test.name) ?? [], isSame)
  const unmatched = before
    .filter((test) => !take(test, ({ file }) => file === test.file))
    .filter((test) => !take(test, (other) => isSameFile(test, other)))
  const groups = byName(after.flatMap(groupsOf))
  return unmatched.filter((test) => {
    if (!isWhole(test)) return groups.get(test.name)?.some((group) => isSameFile(test, group)) !== true
    const isInside = ({ file }: NamedTest): boolean => file !== undefined && [file, dirname(file)].includes(test.name)
    return skipped.some(isInside) || !after.some((other) => other.file === undefined || isInside(other))
  })
}

/** Whether a file or folder failed as a whole. */
function isWhole({ name, file }: NamedTest): boolean {
  return name === file
}

/** How many names differ between two runs of the same code, except in a file or folder that failed as a whole. */
export function countRenamed(one: readonly NamedTest[], other: readonly NamedTest[]): number {
  const wholes = new Set([...one, ...other].filter(isWhole).map(({ name }) => name))
  const isInNone = ({ file }: NamedTest): boolean =>
    file === undefined || !(wholes.has(file) || wholes.has(dirname(file)))
  const [first, second] = [one.filter(isInNone), other.filter(isInNone)]
  return Math.min(missingTests(first, second).length, missingTests(second, first).length)
}

export const unstableNames = 'names of tests differ from run to run: they were compared by number'

function takeFirst<T>(all: T[], isMeant: (each: T) => boolean): boolean {
  const index = all.findIndex(isMeant)
  if (index !== -1) all.splice(index, 1)
  return index !== -1
}

function byName(tests: readonly NamedTest[]): ReadonlyMap<string, NamedTest[]> {
  const found = new Map<string, NamedTest[]>()
  for (const test of tests) {
    const known = found.get(test.name)
    if (known) known.push(test)
    else found.set(test.name, [test])
  }
  return found
}

function isSameFile(one: NamedTest, other: NamedTest): boolean {
  return one.file === undefined || other.file === undefined || one.file === other.file
}

/** The groups around a test. Go joins names with `/`. Other runners use ` > `, and their names may contain slashes. */
function groupsOf({ name, ...place }: NamedTest): readonly NamedTest[] {
  const parts = name.split(/\s/.test(name) ? /( > )/ : /(\/)/)
  return parts.flatMap((_, index) => (index % 2 === 1 ? [{ ...place, name: parts.slice(0, index).join('') }] : []))
}
