import { isWeaker, type Assurance } from '../records/outcome.ts'
import { isFailed, reproductionProblem, reproductionOf } from './rules/block-rules.ts'
import { minAssuranceOf, fail, type Judged, type JudgedStep, type Rule } from './rules/rule.ts'
import { citationsOf, hasActivity } from './agent-results.ts'
import type { Citation, StepEvidence } from './verdict.ts'
import type { BlockOutcome } from '../records/block-outcome.ts'

export function assuranceOf(judged: Judged): Assurance {
  if (isVerified(judged.step)) return 'verified'
  if (judged.step.replay === 'current' && !isUnproved(judged.step)) return 'reproduced'
  // A step of code only: its blocks ran and did not fail.
  if (judged.step.actor === 'code') return 'observed'
  // Without a call, a quote has no source, and the agent may have written a cited file itself.
  if (!hasActivity(judged)) return 'claimed'
  if (reproductionOf(judged) === 'reproduced') return 'reproduced'
  // Quotes of a step that could not be repeated do not count. Only the agent's calls are left.
  const good = citationsOf(judged.evidence, judged.step).filter(isGood)
  if (!isCitedForAll(judged.step, good) || reproductionProblem(judged) !== undefined) return 'observed'
  return isWitnessed(judged) ? 'witnessed' : 'evidenced'
}

export const assuranceTooLow: Rule = (judged) => {
  const { isDisputed = false } = judged.evidence
  const asked = minAssuranceOf(judged.evidence)
  const isRaised = isDisputed && judged.step.actor === 'agent' && isWeaker(asked, 'evidenced')
  const minAssurance = isRaised ? 'evidenced' : asked
  const known = assuranceOf(judged)
  const assurance = reproductionOf(judged) === 'pending' && known !== 'verified' ? 'reproduced' : known
  if (!isWeaker(assurance, minAssurance)) return []
  const [weak] = citationsOf(judged.evidence, judged.step).flatMap(({ found, problem }) => (found && problem) || [])
  const needed = isUnproved(judged.step) ? runAgain : remedyFor(minAssurance, judged)
  const remedy = weak === undefined ? needed : `${needed} ${weak}`
  const why = isRaised ? ', because a recorded expectation was not met' : ''
  const message = `The pass is \`${assurance}\` only, and \`${minAssurance}\` is needed${why}. ${remedy}`
  return [fail('ASSURANCE_TOO_LOW', message, judged.step)]
}

const runAgain =
  'This run itself wrote everything that its blocks are compared with, so nothing is verified. Check it, and run the spec once more.'

function remedyFor(needed: Assurance, { evidence }: JudgedStep): string {
  if (needed !== 'witnessed' || evidence.agent?.executor === undefined) return remedies[needed]
  return evidence.agent.isTrusted ? `${confineIt} ${quoteMdtest}` : quoteMdtest
}

const confineIt = 'Leave `sandbox: off` out: without a sandbox the program could use the product itself.'

const quoteMdtest =
  'Have the agent quote, for each check, what mdtest executed for it and nothing else, or add a `verify` block.'

const remedies: Readonly<Record<Assurance, string>> = {
  verified: 'Add a `verify` block to the step.',
  reproduced: 'Record the step with `mdtest record`, set `reproduce: true`, or add a `verify` block.',
  witnessed: `Set \`executor: mdtest\`. ${quoteMdtest}`,
  evidenced: 'Have the agent cite a quote or a file for each check, or add a `verify` block.',
  observed: 'Use an agent whose tool calls mdtest can read, or add a `verify` block.',
  claimed: '',
}

function isVerified(step: StepEvidence): boolean {
  const { actor, blocks, isExpectedToFail, replay } = step
  if (actor === 'code' && replay === undefined) return !isUnproved(step)
  if (isExpectedToFail) return blocks.some(isFailed)
  return blocks.some((block) => block.role === 'verify' && block.status === 'pass' && verifies(block))
}

/** Whether each check has a quote from a command that mdtest ran, and no citation is bad. */
function isWitnessed({ step, evidence }: Judged): boolean {
  if (evidence.agent?.executor === undefined || evidence.agent.isTrusted) return false
  const cited = citationsOf(evidence, step)
  const quotes = cited.filter(({ kind }) => kind === 'quote')
  return cited.every(isGood) && isCitedForAll(step, quotes)
}

function isGood({ found, problem }: Citation): boolean {
  return found && problem === undefined
}

function isCitedForAll(step: StepEvidence, found: readonly Citation[]): boolean {
  if (step.checks.length === 0) return found.length > 0
  return step.checks.every(({ n }) => found.some(({ check }) => check === n))
}

/** Whether the blocks only wrote new snapshots or output. Such blocks compare nothing, so they prove nothing. */
export function isUnproved(step: StepEvidence): boolean {
  const passed = step.blocks.filter(({ status }) => status === 'pass')
  const verifying = passed.filter(({ role }) => role === 'verify')
  const recorded = passed.filter(({ isRecorded }) => isRecorded)
  if (step.replay !== undefined) return isAllWritten(recorded) && !verifying.some(verifies)
  return step.actor === 'code' ? isAllWritten(passed) : verifying.length > 0 && !verifying.some(verifies)
}

function isAllWritten(blocks: readonly BlockOutcome[]): boolean {
  return !blocks.every(verifies) && !blocks.some(hasHeld)
}

function verifies(block: BlockOutcome): boolean {
  return block.comparisons === undefined || block.comparisons.written === 0 || hasHeld(block)
}

function hasHeld({ comparisons }: BlockOutcome): boolean {
  return comparisons !== undefined && comparisons.held > 0
}
