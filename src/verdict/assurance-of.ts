import { assurances, type Assurance } from '../shared/assurance.ts'
import { isFailed } from './block-rules.ts'
import { policyOf } from './policy.ts'
import { fail } from './rule.ts'
import type { JudgedStep, Rule } from './rule.ts'
import { citationsOf, hasActivity } from './sightings.ts'
import type { StepEvidence } from './verdict.ts'

/** How a pass of this step is backed. A step of code alone is verified: nothing in it rests on a claim. So is a failure
 * that is expected where a block shows it. */
export function assuranceOf(judged: Pick<JudgedStep, 'step' | 'evidence'>): Assurance {
  if (isVerified(judged.step)) return 'verified'
  // Who was not seen to try anything may have made the file himself; a quote would be from nowhere.
  if (!hasActivity(judged)) return 'claimed'
  return isEvidenced(judged) ? 'evidenced' : 'observed'
}

/** A pass that is backed by less than the policy wants. */
export const assuranceTooLow: Rule = (judged) => {
  const { minAssurance } = policyOf(judged.evidence)
  const assurance = assuranceOf(judged)
  if (assurances.indexOf(assurance) >= assurances.indexOf(minAssurance)) return []
  const [weak] = citationsOf(judged.evidence, judged.step).flatMap(({ found, problem }) => (found && problem) || [])
  const remedy = weak === undefined ? remedies[minAssurance] : `${remedies[minAssurance]} ${weak}`
  const message = `The pass is \`${assurance}\` only, and \`${minAssurance}\` is needed. ${remedy}`
  return [fail('ASSURANCE_TOO_LOW', message, judged.step)]
}

const remedies: Readonly<Record<Assurance, string>> = {
  verified: 'Add a `verify` block to the step.',
  evidenced: 'Have the agent cite a quote or a file for each check, or add a `verify` block.',
  observed: 'Use an agent whose tool calls mdtest can read, or add a `verify` block.',
  claimed: '',
}

function isVerified({ actor, blocks, isExpectedToFail }: StepEvidence): boolean {
  if (actor === 'code') return true
  if (isExpectedToFail) return blocks.some(isFailed)
  return blocks.some(({ role, status }) => role === 'verify' && status === 'pass')
}

function isEvidenced({ step, evidence }: Pick<JudgedStep, 'step' | 'evidence'>): boolean {
  const found = citationsOf(evidence, step).filter((one) => one.found && one.problem === undefined)
  if (step.checks.length === 0) return found.length > 0
  return step.checks.every(({ n }) => found.some(({ check }) => check === n))
}
