import type { BlockOutcome } from '../records/block-outcome.ts'
import { lineOf, stepsOf, type Block, type Group, type Scenario, type Step } from '../spec/spec.ts'
import { cutLine, plainLine } from '../system/text/plain-text.ts'

/** The blocks of a scenario that are to run: all but those with `skip`. */
export interface PlannedBlocks {
  readonly setup: readonly Block[]
  readonly teardown: readonly Block[]
  /** Those of the step, behind those of the headings above whose first step it is. */
  of(step: Step): readonly Block[]
}

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

/** Directives take a step out of the scenario as if it were not written yet. */
export function isLeftOut({ directives }: Step): boolean {
  return directives.skip !== undefined || directives.todo === true
}

export function agentStepsOf(scenario: Scenario): readonly Step[] {
  return stepsOf(scenario).filter((step) => step.actor === 'agent' && !isLeftOut(step))
}

/** Whether a run that reports the steps with these ordinals carries out all of a scenario: it goes up to the last. */
export function isWholeRun(scenario: Scenario, selected: ReadonlySet<number>): boolean {
  const last = stepsOf(scenario).findLast((step) => step.actor !== 'todo' && !isLeftOut(step))
  return last === undefined || Math.max(...selected) >= last.ordinal
}

/** Run now, it could only make up for what the agent did not find. */
export function tooLate(block: Block): BlockOutcome {
  const message =
    'This block has to run before the agent tries its step, and the agent ended without reporting the steps before. Use an agent that reports, or move the block before the first step.'
  return { role: block.role, status: 'fail', ...lineOf(block), message }
}

/** Says with blocks that failed what of the agent was stopped while they ran: they may have waited for it. */
export function withStopped(
  outcomes: readonly BlockOutcome[],
  commandLines: readonly string[] = [],
): readonly BlockOutcome[] {
  if (commandLines.length === 0) return outcomes
  const named = commandLines.slice(0, 3).map((line) => `\`${cutLine(plainLine(line), 120)}\``)
  const rest = commandLines.length - named.length
  const list = [...named, ...(rest > 0 ? [`${rest} more`] : [])].join(', ')
  const note = `Meanwhile what the agent had left in the background was stopped: ${list}. A job has to be done when its step is reported; a server goes on once it is called.`
  return outcomes.map((outcome) =>
    outcome.status === 'fail' || outcome.status === 'timeout'
      ? { ...outcome, message: `${outcome.message}\n\n${note}` }
      : outcome,
  )
}
