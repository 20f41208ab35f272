import type { SpecProblem } from '../spec.ts'

/**
 * Problems by their places, each once: those of the spec itself first, then those of each included file. A block can stand
 * for many, in each row of a table and in each scenario that it is included in.
 */
export function orderProblems(problems: readonly SpecProblem[], specFile: string): readonly SpecProblem[] {
  const files = [...new Set([specFile, ...problems.map(({ file }) => file)])]
  const distinct = new Map(problems.map((problem) => [JSON.stringify(problem), problem]))
  return [...distinct.values()].toSorted(
    (a, b) => files.indexOf(a.file) - files.indexOf(b.file) || a.line - b.line || a.column - b.column,
  )
}
