import { withoutVariance } from './readers/reading.ts'
import type { NamedTest, RunnerResults } from './runner.ts'

export interface ExecutedTests {
  readonly tests: readonly NamedTest[]
  readonly areAll: boolean
  readonly skipped?: readonly NamedTest[]
}

/** A file that failed to load is listed as a test whose name is the file. */
export function executedTests({ counts, failingTests, passedTests, skippedTests }: RunnerResults): ExecutedTests {
  const named = (passedTests?.length ?? 0) + failingTests.length
  const areAll = passedTests !== undefined && counts !== null && named === counts.total - counts.skipped
  const failed = failingTests.filter((test) => test.standsFor === undefined || isNamedAfterFile(test))
  const tests = [...(passedTests ?? []), ...failed]
  return {
    areAll,
    tests: tests.map(({ name, file }) => ({ name, ...(file !== undefined && { file }) })),
    ...(skippedTests && { skipped: skippedTests }),
  }
}

function isNamedAfterFile({ name, file }: NamedTest): boolean {
  return name === file
}

/** Lists tests of `before` that are not in `after`. A test that is a group now is replaced by any test inside. */
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
  const rest = [...left.values()].flat().map(settledName)
  return unmatched.filter((test) => {
    if (isNamedAfterFile(test) && after.some((other) => isSameFile(test, other)))
      return skipped.some(({ file }) => file === test.file)
    if (groups.get(test.name)?.some((group) => isSameFile(test, group))) return false
    return !takeFirst(rest, (name) => name === settledName(test))
  })
}

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

/** Matches the line in a Rust doctest's name: the line changes when somebody edits the code above. */
const lineOfDoctest = / \(line \d+\)$/

function settledName({ name, file = '' }: NamedTest): string {
  return `${file}\n${withoutVariance(name).replace(lineOfDoctest, '')}`
}

/** The groups around a test. Go joins names with `/`. Other runners use ` > `, and their names may contain slashes. */
function groupsOf({ name, ...place }: NamedTest): readonly NamedTest[] {
  const parts = name.split(/\s/.test(name) ? /( > )/ : /(\/)/)
  return parts.flatMap((_, index) => (index % 2 === 1 ? [{ ...place, name: parts.slice(0, index).join('') }] : []))
}
