import { assuranceTooLow } from './assurance-of.ts'
import { blocksFailed } from './rules/block-rules.ts'
import { support } from './rules/evidence-rules.ts'
import { fail, firstOf, withoutSwitchedOff } from './rules/rule.ts'
import type { Finding, JudgedStep } from './rules/rule.ts'
import type { Reason, ReasonCode } from './verdict.ts'

/** Where the agent says that the product does not do what it should. */
const saidByAgent: ReadonlySet<ReasonCode> = new Set<ReasonCode>(['STEP_FAILED', 'CHECK_FAILED'])

/** What speaks against a step that is expected to fail, and what failed as expected where nothing does. */
export interface Inverted {
  readonly findings: readonly Finding[]
  readonly expected: readonly Reason[]
}

/** A failure that the agent tells of has to rest on as much as a pass. */
const toldFailure = firstOf([support, assuranceTooLow])

/**
 * Turns a failure of the product into none and its absence into one. A step that could not be tried is no failure of
 * the product, nor is a bad account or a change made behind its back: these findings stay.
 */
export function invertFindings(findings: readonly Finding[], judged: JudgedStep): Inverted {
  if (findings.length === 0) return { findings: withoutSwitchedOff([passed(judged)], judged), expected: [] }
  const { step } = judged
  // A recording that does not fit tells of itself as well as of the product.
  const own = { ...judged, step: { ...step, blocks: step.blocks.filter(({ isRecorded }) => isRecorded !== true) } }
  const seen = withoutSwitchedOff(blocksFailed(own), judged)
  const told = findings.filter(({ outcome, reason }) => outcome === 'fail' && saidByAgent.has(reason.code))
  const ofProduct = [...seen, ...told]
  const codes = new Set(ofProduct.map(({ reason }) => reason.code))
  const others = findings.filter(({ outcome, reason }) => outcome === 'fail' && !codes.has(reason.code))
  if (ofProduct.length === 0 || others.length > 0) return { findings, expected: [] }
  const unfounded = seen.length > 0 ? [] : toldFailure(judged)
  return unfounded.length > 0
    ? { findings: unfounded, expected: [] }
    : { findings: [], expected: ofProduct.map(({ reason }) => reason) }
}

function passed({ step }: JudgedStep): Finding {
  const message =
    'The step is marked `fails`, and it passes. Take the directive away where what it stood for is mended.'
  return fail('PASSED_UNEXPECTEDLY', message, step)
}
