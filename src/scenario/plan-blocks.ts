import type { BlockOutcome } from '../records/block-outcome.ts'
import { isLeftOut, lineOf, stepsOf, type Block, type Group, type Scenario, type Step } from '../spec/spec.ts'
import { cutLine, plainLine } from '../system/text/plain-text.ts'

/** The blocks of a scenario that run: all except those with `skip`. */
export interface PlannedBlocks {
  readonly setup: readonly Block[]
  readonly teardown: readonly Block[]
  /** Blocks of a step. The first step below a heading also gets the blocks of the heading. */
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

function blocksBefore(scenario: Scenario): ReadonlyMap<number, readonly Block[]> {
  const byStep = new Map<number, Block[]>()
  const assign = (parent: { blocks: readonly Block[]; children: readonly (Group | Step)[] }): void => {
    const first = stepsOf(parent).find(isExecuted)
    if (first) byStep.set(first.ordinal, [...(byStep.get(first.ordinal) ?? []), ...parent.blocks])
    for (const child of parent.children) if (child.kind === 'group') assign(child)
  }
  assign(scenario)
  return byStep
}

function withoutSkipped(blocks: readonly Block[]): readonly Block[] {
  return blocks.filter((block) => !block.attributes.skip)
}

export function isExecuted(step: Step): boolean {
  return step.actor !== 'todo' && !isLeftOut(step)
}

export function agentStepsOf(scenario: Scenario): readonly Step[] {
  return stepsOf(scenario).filter((step) => step.actor === 'agent' && !isLeftOut(step))
}

/** Whether the whole scenario runs. A run ends after the last selected step. */
export function isWholeRun(scenario: Scenario, selected: ReadonlySet<number>): boolean {
  const last = stepsOf(scenario).findLast(isExecuted)
  return last === undefined || Math.max(...selected) >= last.ordinal
}

export function tooLate(block: Block): BlockOutcome {
  const message =
    'This block has to run before the agent tries its step, and the agent ended without reporting the steps before. Use an agent that reports, or move the block before the first step.'
  return { role: block.role, status: 'fail', ...lineOf(block), message }
}

/** Names the agent's paused background processes in failures of blocks, because a block may have needed one. */
export function withStopped(
  outcomes: readonly BlockOutcome[],
  commandLines: readonly string[] = [],
): readonly BlockOutcome[] {
  if (commandLines.length === 0) return outcomes
  const named = commandLines.slice(0, 3).map((line) => `\`${cutLine(plainLine(line), 120)}\``)
  const rest = commandLines.length - named.length
  const list = [...named, ...(rest > 0 ? [`${rest} more`] : [])].join(', ')
  const note = `Meanwhile these background processes of the agent were paused: ${list}. A job has to be done when its step is reported; a server goes on once it is called.`
  return outcomes.map((outcome) =>
    outcome.status === 'fail' || outcome.status === 'timeout'
      ? { ...outcome, message: `${outcome.message}\n\n${note}` }
      : outcome,
  )
}
