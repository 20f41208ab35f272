import type { BlockOutcome } from '../../records/block-outcome.ts'
import { lineOf } from '../../spec/spec.ts'
import type { Reason, ScenarioEvidence } from '../verdict.ts'

/**
 * Takes a skip that a block asked for as a failure where it could hide one: once any agent of the run has worked, which
 * may have changed what the block runs, in a retry of what did not pass, and in a tear-down, where nothing is left to
 * skip.
 */
export function withoutVainSkips(evidence: ScenarioEvidence): ScenarioEvidence {
  const { steps, setup, teardown, agent, isRetry, isAfterAgents } = evidence
  const canSkip = agent === undefined && isRetry !== true && isAfterAgents !== true
  return {
    ...evidence,
    teardown: teardown.map(failedIfSkipped),
    ...(!canSkip && {
      setup: setup.map(failedIfSkipped),
      steps: steps.map((step) => ({ ...step, blocks: step.blocks.map(failedIfSkipped) })),
    }),
  }
}

/** Why the scenario is skipped from here on, where a block asked for that. */
export function findSkip(blocks: readonly BlockOutcome[]): Reason | undefined {
  const block = blocks.find(({ status }) => status === 'skipped')
  return block && { code: 'SKIPPED_BY_BLOCK', message: block.message, ...lineOf(block) }
}

function failedIfSkipped(block: BlockOutcome): BlockOutcome {
  if (block.status !== 'skipped') return block
  const rule =
    'This skips a scenario only before the first agent of the run is started, at the first try, and not in a tear-down. Let the front matter say what has to be there (`requires`), or run this spec in a run of its own.'
  return { ...block, status: 'fail', message: `${block.message}\n${rule}` }
}
