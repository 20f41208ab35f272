import { stepsOf, type Group, type Spec, type Step } from '../spec/spec.ts'

/** The line by which Vitest selects what a line of a spec is in: that of a heading or of a row. */
export function headingLineAt({ scenarios }: Pick<Spec, 'scenarios'>, line: number): number | undefined {
  return scenarios.map((scenario) => headingAt(scenario, line)).find((heading) => heading !== undefined)
}

/** The step whose heading is nearest to a line that is in none. */
export function nearestStep({ scenarios }: Pick<Spec, 'scenarios'>, line: number): Step | undefined {
  const own = scenarios.flatMap(stepsOf).filter(({ file }) => file === undefined)
  return own.toSorted((one, other) => Math.abs(one.line - line) - Math.abs(other.line - line))[0]
}

interface Section {
  readonly line: number
  readonly endLine: number
  readonly children?: readonly (Group | Step)[]
}

function headingAt(section: Section, line: number): number | undefined {
  if (line < section.line || line > section.endLine) return undefined
  for (const child of section.children ?? []) {
    const heading = headingAt('children' in child ? child : { line: child.line, endLine: child.endLine }, line)
    if (heading !== undefined) return heading
  }
  return section.line
}
