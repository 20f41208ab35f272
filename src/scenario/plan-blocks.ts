import { stepsOf, type Block, type Group, type Scenario, type Step } from '../spec/spec.ts'
import { isLeftOut } from './is-left-out.ts'

/** The blocks of a scenario that are to run: all but those with `skip`. */
export interface PlannedBlocks {
  readonly setup: readonly Block[]
  readonly teardown: readonly Block[]
  /** Those of the step, behind those of the headings above whose first step it is. */
  of(step: Step): readonly Block[]
}

/** Finds out when which block of a scenario runs. */
export function planBlocks(scenario: Scenario): PlannedBlocks {
  const before = blocksBefore(scenario)
  return {
    setup: withoutSkipped(scenario.setup?.blocks ?? []),
    teardown: withoutSkipped(scenario.teardown?.blocks ?? []),
    of: (step) => withoutSkipped([...(before.get(step.ordinal) ?? []), ...step.blocks]),
  }
}

/** Blocks of headings with children by the ordinal of the first step below, before which they run. */
function blocksBefore(scenario: Scenario): ReadonlyMap<number, readonly Block[]> {
  const byStep = new Map<number, Block[]>()
  const assign = (parent: { blocks: readonly Block[]; children: readonly (Group | Step)[] }): void => {
    const first = stepsOf(parent).find((step) => step.actor !== 'todo' && !isLeftOut(step))
    if (first) byStep.set(first.ordinal, [...(byStep.get(first.ordinal) ?? []), ...parent.blocks])
    for (const child of parent.children) if (child.kind === 'group') assign(child)
  }
  assign(scenario)
  return byStep
}

function withoutSkipped(blocks: readonly Block[]): readonly Block[] {
  return blocks.filter((block) => !block.attributes.skip)
}
