import { stepsOf, type Scenario, type Spec, type Step } from '../spec/spec.ts'

/** The line of the innermost heading or table row around `line`. Vitest selects steps by this line. */
export function headingLineAt({ scenarios }: Pick<Spec, 'scenarios'>, line: number): number | undefined {
  return (
    scenarios.map((scenario) => headingAt(scenario, line)).find((heading) => heading !== undefined) ??
    groupAt(scenarios, line)
  )
}

/** The line of the scenario that contains `line`; `undefined` if the whole spec is one scenario. */
export function scenarioLineAt({ scenarios }: Pick<Spec, 'scenarios'>, line: number): number | undefined {
  const found = scenarios.find((scenario) => headingAt(scenario, line) !== undefined)
  return scenarios.length > 1 || found?.hasDescribe === true ? (found?.line ?? groupAt(scenarios, line)) : undefined
}

export function nearestStep({ scenarios }: Pick<Spec, 'scenarios'>, line: number): Step | undefined {
  const own = scenarios.flatMap(stepsOf).filter(({ file }) => file === undefined)
  return own.toSorted((one, other) => Math.abs(one.line - line) - Math.abs(other.line - line))[0]
}

type Section = Pick<Scenario, 'line' | 'endLine' | 'children'>

/** The line of the innermost group heading above `line`, if no scenario of the group begins before `line`. */
function groupAt(scenarios: readonly Scenario[], line: number): number | undefined {
  const firsts = new Map<number, number>()
  for (const scenario of scenarios) {
    for (const group of scenario.groups ?? []) firsts.set(group.line, firsts.get(group.line) ?? scenario.line)
  }
  return [...firsts].findLast(([group, first]) => group <= line && line < first)?.[0]
}

/** The line of the innermost heading around `line`. Steps come first: a step can be above the H1 of its scenario. */
function headingAt(section: Section | Step, line: number): number | undefined {
  for (const child of 'children' in section ? section.children : []) {
    const heading = child.file === undefined ? headingAt(child, line) : undefined
    if (heading !== undefined) return heading
  }
  return line < section.line || line > section.endLine ? undefined : section.line
}
