import { inOrder, isLeftOut, lineOf } from '../spec.ts'
import type { Block, Group, Hook, Located, Scenario, SpecProblem, Step } from '../spec.ts'
import type { SpecRuleId } from '../rules/spec-rules.ts'

/** Without `file`, the problem is in the spec itself. */
export type ScenarioProblem = Omit<SpecProblem, 'file'> & Located

/** The agent carries out prose (`setup`, `step`, `teardown`) and reports a step. mdtest executes a `Block`. */
type Act = 'setup' | 'step' | 'reported' | 'teardown' | Block

const ruleId: SpecRuleId = 'needs-reports'

/**
 * Finds blocks that cannot run at their place: between two parts that the agent carries out in one go.
 * An agent with reports pauses at each step, but not after the prose of the set-up or before that of the tear-down.
 */
export function blocksBetweenProse(
  scenario: Scenario,
  { hasReports }: { readonly hasReports: boolean },
): readonly ScenarioProblem[] {
  const acts = actsOf(scenario)
  const found = hasReports ? [...afterSetup(acts), ...beforeTeardown(acts)] : between(acts)
  const message = hasReports ? besideHookMessage : needsReportsMessage
  return found.map((block) => ({ ...lineOf(block), column: block.column, ruleId, message }))
}

function between(acts: readonly Act[]): readonly Block[] {
  return blocksIn(acts.slice(acts.findIndex(isProse), acts.findLastIndex(isProse)))
}

function afterSetup(acts: readonly Act[]): readonly Block[] {
  const setup = acts.indexOf('setup')
  return setup === -1 ? [] : blocksIn(acts.slice(setup, Math.max(setup, acts.indexOf('step'))))
}

function beforeTeardown(acts: readonly Act[]): readonly Block[] {
  const teardown = acts.indexOf('teardown')
  if (teardown === -1) return []
  // `verify` blocks of the last step come before `reported`: they run while the agent waits for an answer.
  const after = acts.slice(acts.lastIndexOf('step') + 1, teardown)
  return blocksIn(after.slice(after.findIndex((act) => act === 'reported') + 1))
}

function isProse(act: Act): boolean {
  return act === 'setup' || act === 'step' || act === 'teardown'
}

function blocksIn(acts: readonly Act[]): readonly Block[] {
  return acts.filter((act) => typeof act !== 'string')
}

function actsOf(scenario: Scenario): readonly Act[] {
  if (isLeftOut(scenario)) return []
  const { setup, blocks, children, teardown } = scenario
  return [
    ...hookActs(setup, 'setup'),
    ...executed(blocks),
    ...children.flatMap(childActs),
    ...hookActs(teardown, 'teardown'),
  ]
}

function childActs(child: Group | Step): readonly Act[] {
  if (isLeftOut(child)) return []
  const blocks = executed(child.blocks)
  if (child.kind === 'group') return [...blocks, ...child.children.flatMap(childActs)]
  return child.actor === 'agent' ? [...inOrder(blocks, ['step'] as const), 'reported'] : blocks
}

function hookActs(hook: Hook | undefined, prose: 'setup' | 'teardown'): readonly Act[] {
  if (hook === undefined) return []
  return hook.hasProse ? inOrder(executed(hook.blocks), [prose]) : executed(hook.blocks)
}

function executed(blocks: readonly Block[]): readonly Block[] {
  return blocks.filter(({ attributes }) => attributes.skip !== true)
}

const needsReportsMessage =
  'This block stands between two parts for the agent, and this agent does not report while it works. Move the block before the first or after the last of them, split the scenario, or use an agent that reports.'

const besideHookMessage =
  'This block stands between a step for the agent and the prose of the setup or teardown section, which the agent carries out in one go. Move the block, or make that prose a step of its own.'
