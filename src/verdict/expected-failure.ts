import { accountOf, entriesOf, isPassing, isReported } from './account.ts'
import { assuranceTooLow } from './assurance-of.ts'
import { isFailed } from './rules/block-rules.ts'
import { support } from './rules/evidence-rules.ts'
import { fail, firstOf, withoutSwitchedOff } from './rules/rule.ts'
import type { Finding, JudgedStep } from './rules/rule.ts'
import type { Reason, ReasonCode } from './verdict.ts'

const shownByBlocks: ReadonlySet<ReasonCode> = new Set<ReasonCode>(['VERIFY_FAILED', 'RUN_FAILED'])
const saidByAgent: ReadonlySet<ReasonCode> = new Set<ReasonCode>(['STEP_FAILED', 'CHECK_FAILED'])

interface Inverted {
  readonly findings: readonly Finding[]
  readonly expected: readonly Reason[]
}

/** A failure that the agent tells of has to rest on as much as a pass. */
const toldFailure = firstOf([support, assuranceTooLow])

/**
 * Turns a failure of the product into none and its absence into one, but for a change, which may be there before it is
 * archived. What is no failure of the product stays: a step that could not be tried, a bad account, a changed source,
 * a block that is at fault itself or came to no end.
 */
export function invertFindings(findings: readonly Finding[], judged: JudgedStep): Inverted {
  const { step } = judged
  const isOfChange = step.change !== undefined
  if (findings.length === 0)
    return { findings: isOfChange ? [] : withoutSwitchedOff([passed(judged)], judged), expected: [] }
  // A recording that does not fit tells of itself as well as of the product.
  const failed = step.blocks.filter((block) => isFailed(block) && block.isRecorded !== true)
  // Of a change even the program may not be there yet.
  const isShownByBlocks = failed.length > 0 && failed.every(({ isBroken }) => isOfChange || !isBroken)
  const isShown = ({ code }: Reason): boolean => isShownByBlocks && shownByBlocks.has(code)
  const isOther = ({ outcome, reason }: Finding): boolean => {
    if (outcome === 'fail') return !isShown(reason) && !saidByAgent.has(reason.code)
    return reason.code === 'BROWSER_UNAVAILABLE' || !isUnasked(judged)
  }
  const ofProduct = findings.flatMap(({ outcome, reason }) => (outcome === 'fail' ? [reason] : []))
  if (ofProduct.length === 0 || findings.some(isOther)) return { findings, expected: [] }
  const unfounded = [...contradicted(judged), ...(ofProduct.some(isShown) ? [] : toldFailure(judged))]
  return unfounded.length > 0 ? { findings: unfounded, expected: [] } : { findings: [], expected: ofProduct }
}

/** Where a block failed before the agent came to the step, nobody asks it any more. */
function isUnasked({ step, evidence: { agent } }: JudgedStep): boolean {
  return agent === undefined || (agent.ending.kind === 'working' && !isReported(step, agent))
}

/** A pass with a failed check, or, of a change where checks are all there is, a failure with none. */
function contradicted(judged: JudgedStep): readonly Finding[] {
  const { step, evidence } = judged
  const [entry] = entriesOf(accountOf(evidence), step)
  const { status, checks = [] } = entry ?? {}
  const isPassOnly = status === 'pass' && checks.some((check) => check.status === 'fail')
  const isFailOnly =
    step.change !== undefined &&
    status === 'fail' &&
    checks.length > 0 &&
    isPassing({ id: step.id, status: 'pass', checks })
  if (!isPassOnly && !isFailOnly) return []
  const [of, others] = isPassOnly ? ['passed', 'one of its checks failed'] : ['failed', 'all of its checks passed']
  const message = `The agent reports that the step ${of} and that ${others}. A failure that is expected needs an account that agrees with itself.`
  return withoutSwitchedOff([fail('STATUS_CONTRADICTS_STEPS', message, step)], judged)
}

function passed({ step }: JudgedStep): Finding {
  const message =
    'The step is marked `fails`, and it passes. Take the directive away where what it stood for is mended.'
  return fail('PASSED_UNEXPECTEDLY', message, step)
}
