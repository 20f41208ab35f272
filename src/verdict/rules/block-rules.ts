import type { BlockOutcome } from '../../records/block-outcome.ts'
import { fail } from './rule.ts'
import type { Finding, Rule } from './rule.ts'
import type { FailCode, ScenarioEvidence } from '../verdict.ts'

/** A failed block decides, whatever the agent said. */
export const blocksFailed: Rule = ({ step }) =>
  step.blocks.filter(isFailed).map((block) => fail(codeOf(block), messageOf(block), block))

/** Fail-closed: a block that should have run and did not is no pass. */
export const blocksMissing: Rule = ({ step }) => {
  const planned = step.plannedBlocks ?? (step.actor === 'code' ? 1 : 0)
  if (step.blocks.length >= planned) return []
  const found = step.blocks.length === 0 ? 'none of its blocks ran' : `${step.blocks.length} of ${planned} blocks ran`
  return [fail('RUN_FAILED', `The step was to be checked by code, and ${found}.`, step)]
}

/** What the set-up's failed blocks say; they fail the first step, because no step could be tried. */
export function setupFindings({ setup }: ScenarioEvidence): readonly Finding[] {
  return setup.filter(isFailed).map((block) => fail('SETUP_FAILED', `The set-up failed: ${messageOf(block)}`, block))
}

/** What the tear-down's failed blocks say; they fail the last step. */
export function teardownFindings({ teardown }: ScenarioEvidence): readonly Finding[] {
  return teardown
    .filter(isFailed)
    .map((block) => fail('TEARDOWN_FAILED', `The tear-down failed: ${messageOf(block)}`, block))
}

/** Whether a block did not do what it should. */
export function isFailed(block: BlockOutcome): boolean {
  return block.status === 'fail' || block.status === 'timeout'
}

function codeOf({ status, role }: BlockOutcome): FailCode {
  if (status === 'timeout') return 'BLOCK_TIMEOUT'
  return role === 'verify' ? 'VERIFY_FAILED' : 'RUN_FAILED'
}

function messageOf({ role, status, message }: BlockOutcome): string {
  if (message !== '') return message
  return status === 'timeout' ? `A \`${role}\` block ran into its time limit.` : `A \`${role}\` block failed.`
}
