import { accountOf, resultsOfStep, isReported } from './agent-results.ts'
import { assuranceTooLow } from './assurance-of.ts'
import { isFailed } from './rules/block-rules.ts'
import { support } from './rules/evidence-rules.ts'
import { fail, firstOf, withoutSwitchedOff } from './rules/rule.ts'
import type { Finding, JudgedStep } from './rules/rule.ts'
import type { Reason, ReasonCode } from './verdict.ts'

const shownByBlocks: readonly ReasonCode[] = ['VERIFY_FAILED', 'RUN_FAILED']
const saidByAgent: readonly ReasonCode[] = ['STEP_FAILED', 'CHECK_FAILED']

/** A failure that the agent reports needs the same evidence as a pass. */
const toldFailure = firstOf([support, assuranceTooLow])

/** Swaps pass and fail for a step with `fails`. A planned change may also pass, because it may be done early. */
export function invertFindings(
  findings: readonly Finding[],
  judged: JudgedStep,
): { readonly findings: readonly Finding[]; readonly expected: readonly Reason[] } {
  const { step } = judged
  const isOfChange = step.change !== undefined
  if (findings.length === 0) {
    const message = 'The step is marked `fails`, but it passes. If the problem is fixed, remove the directive.'
    const passed = [fail('PASSED_UNEXPECTEDLY', message, step)]
    return { findings: isOfChange ? [] : withoutSwitchedOff(passed, judged), expected: [] }
  }
  // A recorded block may only be out of date, so its failure says nothing about the product.
  const failed = step.blocks.filter((block) => isFailed(block) && block.isRecorded !== true)
  // Before a planned change, the program may not exist yet. So even a block that cannot run counts as a failure.
  const isShownByBlocks = failed.length > 0 && failed.every(({ isBroken }) => isOfChange || !isBroken)
  const isShown = ({ code }: Reason): boolean => isShownByBlocks && shownByBlocks.includes(code)
  const isOther = ({ outcome, reason }: Finding): boolean => {
    if (outcome === 'fail') return !isShown(reason) && !saidByAgent.includes(reason.code)
    return reason.code === 'BROWSER_UNAVAILABLE' || !isUnasked(judged)
  }
  const ofProduct = findings.flatMap(({ outcome, reason }) => (outcome === 'fail' ? [reason] : []))
  if (ofProduct.length === 0 || findings.some(isOther)) return { findings, expected: [] }
  const unfounded = [...contradicted(judged), ...(ofProduct.some(isShown) ? [] : toldFailure(judged))]
  return unfounded.length > 0 ? { findings: unfounded, expected: [] } : { findings: [], expected: ofProduct }
}

/** Whether the agent never got this step, because a block failed before. */
function isUnasked({ step, evidence: { agent } }: JudgedStep): boolean {
  return agent === undefined || (agent.ending.kind === 'working' && !isReported(step, agent))
}

/** Finds a passed step with a failed check. For a planned change, also finds a failed step with passed checks only. */
function contradicted(judged: JudgedStep): readonly Finding[] {
  const { step, evidence } = judged
  const { status, checks = [] } = resultsOfStep(accountOf(evidence), step)[0] ?? {}
  const isPassOnly = status === 'pass' && checks.some((check) => check.status === 'fail')
  const isFailOnly =
    step.change !== undefined && status === 'fail' && checks.length > 0 && checks.every((one) => one.status === 'pass')
  if (!isPassOnly && !isFailOnly) return []
  const [of, others] = isPassOnly ? ['passed', 'one of its checks failed'] : ['failed', 'all of its checks passed']
  const message = `The agent reports that the step ${of} and that ${others}. A failure that is expected needs an account that agrees with itself.`
  return withoutSwitchedOff([fail('STATUS_CONTRADICTS_STEPS', message, step)], judged)
}
