import { isInProject } from '../readers/common/place.ts'
import type { FailingTest } from '../runner.ts'

/**
 * Tells of failed tests in files that the project does not have, in a sentence: then we read the results wrongly, and no
 * scope can be held against them. `undefined` where each has its place.
 */
export function describeUnplaced(failingTests: readonly FailingTest[], root: string): string | undefined {
  const unplaced = failingTests.filter(({ file }) => file !== undefined && !isInProject(file, root))
  const [first] = unplaced
  if (first === undefined) return undefined
  const others = unplaced.length === 1 ? '' : `, and so for ${unplaced.length - 1} more`
  return `mdtest cannot tell the place of \`${first.name}\`: \`${first.file}\`, as the runner has it, is no file of the project${others}. Please report this as an error of mdtest.`
}
