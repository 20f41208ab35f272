import { stepsOf, type Scenario, type Spec, type Step } from '../spec/spec.ts'

/** The line by which Vitest selects what a line of a spec is in: that of a heading or of a row. */
export function headingLineAt({ scenarios }: Pick<Spec, 'scenarios'>, line: number): number | undefined {
  return (
    scenarios.map((scenario) => headingAt(scenario, line)).find((heading) => heading !== undefined) ??
    groupAt(scenarios, line)
  )
}

/** The same of all of the scenario; `undefined` where that is the whole spec. To be asked only of lines that are in one. */
export function scenarioLineAt({ scenarios }: Pick<Spec, 'scenarios'>, line: number): number | undefined {
  const found = scenarios.find((scenario) => headingAt(scenario, line) !== undefined)
  return scenarios.length > 1 || found?.hasDescribe === true ? (found?.line ?? groupAt(scenarios, line)) : undefined
}

/** The step whose heading is nearest to a line that is in none. */
export function nearestStep({ scenarios }: Pick<Spec, 'scenarios'>, line: number): Step | undefined {
  const own = scenarios.flatMap(stepsOf).filter(({ file }) => file === undefined)
  return own.toSorted((one, other) => Math.abs(one.line - line) - Math.abs(other.line - line))[0]
}

type Section = Pick<Scenario, 'line' | 'endLine' | 'children'>

/** The line of the innermost group whose first scenario stands below a line: all its scenarios are meant. */
function groupAt(scenarios: readonly Scenario[], line: number): number | undefined {
  const firsts = new Map<number, number>()
  for (const scenario of scenarios) {
    for (const group of scenario.groups ?? []) firsts.set(group.line, firsts.get(group.line) ?? scenario.line)
  }
  return [...firsts].findLast(([group, first]) => group <= line && line < first)?.[0]
}

/** Also in a step above the H1 of its scenario. */
function headingAt(section: Section | Step, line: number): number | undefined {
  for (const child of 'children' in section ? section.children : []) {
    const heading = child.file === undefined ? headingAt(child, line) : undefined
    if (heading !== undefined) return heading
  }
  return line < section.line || line > section.endLine ? undefined : section.line
}
