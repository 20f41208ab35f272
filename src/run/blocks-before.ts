import { stepsOf, type Block, type Group, type Scenario, type Step } from '../spec/spec.ts'

/** Blocks of headings with children by the ordinal of the first step below, before which they run. */
export function blocksBefore(scenario: Scenario): ReadonlyMap<number, readonly Block[]> {
  const byStep = new Map<number, Block[]>()
  const assign = (parent: { blocks: readonly Block[]; children: readonly (Group | Step)[] }): void => {
    const first = stepsOf(parent)[0]
    if (first) byStep.set(first.ordinal, [...(byStep.get(first.ordinal) ?? []), ...parent.blocks])
    for (const child of parent.children) if (child.kind === 'group') assign(child)
  }
  assign(scenario)
  return byStep
}
