import type { BlockOutcome } from '../../records/block-outcome.ts'
import { blocked, fail, type Finding, type Rule, type Judged } from './rule.ts'
import type { FailCode, ScenarioEvidence, Reason, ReproductionProblem } from '../verdict.ts'
import { lineOf } from '../../spec/spec.ts'

export const blocksFailed: Rule = ({ step }) =>
  step.blocks.filter(isFailed).map((block) => {
    if (block.blockedBy) return blocked(block.blockedBy, block.message, block)
    const told =
      step.isExpectedToFail && ((block.isBroken && step.change === undefined) || block.status === 'timeout')
        ? `\n\n${noFailure}`
        : ''
    const { outcome, reason } = fail(codeOf(block), blockMessage(block) + told, block)
    return { outcome, reason: block.isRecorded ? { ...reason, cause: causeOf(block) } : reason }
  })

const noFailure = 'This says nothing about the product: the expected failure was not seen. Correct the block.'

export const notRecorded: Rule = ({ step }) => {
  if (step.replay === 'missing') {
    const message = 'No agent may be started here, and the step has no recording. Make one with `mdtest record`.'
    return [fail('REPLAY_MISSING', message, step)]
  }
  if (step.replay !== 'stale') return []
  const message =
    'No agent may be started here, and the recording is of another wording of this step or of one before it. Record it again with `mdtest record`.'
  return [fail('REPLAY_STALE', message, step)]
}

/** A step cannot pass if one of its planned blocks did not run. */
export const blocksMissing: Rule = ({ step }) => {
  const planned = step.plannedBlocks ?? (step.actor === 'code' ? 1 : 0)
  if (step.blocks.length >= planned) return []
  const found = step.blocks.length === 0 ? 'none of its blocks ran' : `${step.blocks.length} of ${planned} blocks ran`
  return [fail('RUN_FAILED', `The step was to be checked by code, and ${found}.`, step)]
}

export function hookFindings(blocks: readonly BlockOutcome[], code: 'SETUP_FAILED' | 'TEARDOWN_FAILED'): Finding[] {
  const name = code === 'SETUP_FAILED' ? 'set-up' : 'tear-down'
  return blocks.filter(isFailed).map((block) => fail(code, `The ${name} failed: ${blockMessage(block)}`, block))
}

export function isFailed(block: BlockOutcome): boolean {
  return block.status === 'fail' || block.status === 'timeout'
}

function codeOf({ status, role, isRecorded, isOutputOnly }: BlockOutcome): FailCode {
  if (isRecorded) return isOutputOnly ? 'REPLAY_DIFFERS' : 'REPLAY_STALE'
  if (status === 'timeout') return 'BLOCK_TIMEOUT'
  return role === 'verify' ? 'VERIFY_FAILED' : 'RUN_FAILED'
}

function causeOf({ cause, status, isOutputOnly }: BlockOutcome): string {
  return cause ?? (isOutputOnly ? 'output changed' : status === 'timeout' ? 'too slow' : 'command failed')
}

function blockMessage({ role, status, message, isRecorded, isOutputOnly }: BlockOutcome): string {
  if (isRecorded) return `${message}\n\n${isOutputOnly ? differs : cannotBeRepeated}`
  if (message !== '') return message
  return status === 'timeout' ? `A \`${role}\` block ran into its time limit.` : `A \`${role}\` block failed.`
}

const differs =
  'This is the recorded step, repeated. Is the product wrong? If this is how it should be, run `mdtest record`. `--replay only` asks no agent about it.'

const cannotBeRepeated =
  'The recorded step cannot be repeated any more. Unless the product is wrong, run `mdtest record`. `--replay only` asks no agent about it.'

/** Makes a skip a failure where it could hide a failure: after an agent's work, in a retry, and in a teardown. */
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

/** Whether the step could be repeated. An agent's step without a result counts as not repeated. */
export function reproductionOf({ step, evidence }: Judged): 'pending' | 'reproduced' | ReproductionProblem | undefined {
  const { reproduction } = evidence
  if (reproduction === undefined) return undefined
  // The failed block already proves the expected failure.
  if (step.isExpectedToFail && step.blocks.some(isFailed)) return undefined
  const found = reproduction.steps?.[step.id]
  if (found !== undefined) return found
  if (step.actor !== 'agent') return undefined
  if (reproduction.steps === undefined) return 'pending'
  return { ...step, message: 'It was not repeated, because a step before it could not be, or because the run ended.' }
}

export function reproductionProblem(judged: Judged): ReproductionProblem | undefined {
  const found = reproductionOf(judged)
  return typeof found === 'object' ? found : undefined
}

export const notReproduced: Rule = (judged) => {
  const problem = reproductionProblem(judged)
  if (problem === undefined || judged.evidence.reproduction?.isRequired !== true) return []
  return [fail('NOT_REPRODUCED', problem.message, problem)]
}
