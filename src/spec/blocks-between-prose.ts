import type { Block, Group, Hook, Scenario, SpecProblem, Step } from './spec.ts'
import type { SpecRuleId } from './spec-rules.ts'

/** A problem without the file, which a scenario does not know. */
export type ScenarioProblem = Omit<SpecProblem, 'file'>

/** What happens in a scenario, in order: the agent acts, or mdtest executes a block. */
type Act = 'agent' | Block

const ruleId: SpecRuleId = 'needs-reports'

/**
 * Blocks that have to run between two parts that the agent carries out. An agent that reports nothing while it works
 * leaves no moment for them; the caller reports them for such an agent.
 */
export function blocksBetweenProse(scenario: Scenario): readonly ScenarioProblem[] {
  const acts = actsOf(scenario)
  const between = acts.slice(acts.indexOf('agent'), acts.lastIndexOf('agent'))
  return between
    .filter((act) => act !== 'agent')
    .map(({ line, column }) => ({ line, column, ruleId, message: message() }))
}

function actsOf({ setup, blocks, children, teardown, directives }: Scenario): readonly Act[] {
  if (directives.skip !== undefined || directives.todo === true) return []
  return [...hookActs(setup), ...executed(blocks), ...children.flatMap(childActs), ...hookActs(teardown)]
}

function childActs(child: Group | Step): readonly Act[] {
  if (child.directives.skip !== undefined || child.directives.todo === true) return []
  if (child.kind === 'group') return [...executed(child.blocks), ...child.children.flatMap(childActs)]
  return child.actor === 'agent' ? around(child.blocks) : executed(child.blocks)
}

function hookActs(hook: Hook | undefined): readonly Act[] {
  if (hook === undefined) return []
  return hook.hasProse ? around(hook.blocks) : executed(hook.blocks)
}

function around(blocks: readonly Block[]): readonly Act[] {
  const isAfter = ({ role }: Block): boolean => role === 'verify'
  const acts = executed(blocks)
  return [...acts.filter((block) => !isAfter(block)), 'agent', ...acts.filter(isAfter)]
}

function executed(blocks: readonly Block[]): readonly Block[] {
  return blocks.filter(({ attributes }) => attributes.skip !== true)
}

function message(): string {
  return 'SPEC_NEEDS_REPORTS: this block stands between two parts for the agent, and this agent does not report while it works. Move the block before the first or after the last of them, split the scenario, or use an agent that reports.'
}
