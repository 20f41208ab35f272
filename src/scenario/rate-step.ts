import { assurances, type Outcome } from '../records/outcome.ts'
import { leastExecutor } from '../records/used-executor.ts'
import type { Repeats } from '../spec/front-matter/front-matter.ts'
import type { Reason, Verdict, ReasonCode } from '../verdict/verdict.ts'

export interface Rate {
  readonly passed: number
  readonly runs: number
  readonly required: number
}

interface RateContext {
  readonly repeats: Repeats
  readonly stoppedBy: string | undefined
}

/**
 * The verdict on a step from those of its runs, in order. A run that was blocked, or not made, says nothing about the
 * product: where it could have made up for what is lacking, the step is blocked; where failures alone are too many, it fails.
 * One in which an agent changed what it was to test fails the step, however often the others passed.
 */
export function rateStep(verdicts: readonly Verdict[], context: RateContext): Verdict {
  const change = verdicts.find((verdict) => verdict.change !== undefined)?.change
  return { ...rated(verdicts, context), ...(change !== undefined && { change }) }
}

function rated(verdicts: readonly Verdict[], { repeats, stoppedBy }: RateContext): Verdict {
  const { runs, required } = repeats
  if (verdicts.some(isFinal)) return { outcome: 'fail', reasons: reasonsOf(verdicts, 'fail') }
  const passed = verdicts.filter(({ outcome }) => outcome === 'pass')
  if (passed.length >= required) return passOf(passed)
  const [first] = verdicts
  if (first && verdicts.every(({ outcome }) => outcome === 'skipped')) return first
  if (stoppedBy !== undefined) return skippedBehind(stoppedBy)
  const failed = verdicts.filter(({ outcome }) => outcome === 'fail').length
  // Else runs that were blocked or not made are missing: one that a step was skipped in has a step before it to blame.
  const outcome = failed > runs - required ? 'fail' : 'blocked'
  return { outcome, reasons: reasonsOf(verdicts, outcome) }
}

/** A pass is worth what the least of them is. */
function passOf(passed: readonly Verdict[]): Verdict {
  const isBacked = passed.every((verdict) => verdict.assurance !== undefined)
  const assurance = isBacked
    ? assurances.find((level) => passed.some((verdict) => verdict.assurance === level))
    : undefined
  const expected = passed.find((verdict) => verdict.expected !== undefined)?.expected
  const unreproduced = passed.find((verdict) => verdict.unreproduced !== undefined)?.unreproduced
  const executor = leastExecutor(passed.map((verdict) => verdict.executor))
  const isUnproved = passed.some((verdict) => verdict.isUnproved)
  return {
    outcome: 'pass',
    reasons: [],
    ...(assurance && { assurance }),
    ...(unreproduced && { unreproduced }),
    ...(executor && { executor }),
    ...(isUnproved && { isUnproved }),
    ...(expected && { expected }),
  }
}

function skippedBehind(title: string): Verdict {
  const message = `Not judged, because step "${title}" did not pass often enough.`
  return { outcome: 'skipped', reasons: [{ code: 'PREDECESSOR_FAILED', message }] }
}

/** Those behind the outcome come first. What is the same in several runs is said once. */
function reasonsOf(verdicts: readonly Verdict[], decisive: Outcome): readonly Reason[] {
  const numbered = verdicts.map((verdict, index) => ({ ...verdict, run: index + 1 }))
  const bad = numbered.filter(({ outcome }) => outcome === 'fail' || outcome === 'blocked')
  const decisiveFirst = bad.toSorted((a, b) => Number(b.outcome === decisive) - Number(a.outcome === decisive))
  const byText = new Map<string, { readonly reason: Reason; readonly runs: number[] }>()
  for (const { run, reasons } of decisiveFirst) {
    for (const reason of reasons) {
      const key = JSON.stringify(reason)
      const found = byText.get(key) ?? { reason, runs: [] }
      byText.set(key, { ...found, runs: [...found.runs, run] })
    }
  }
  return [...byText.values()].map(({ reason, runs }) => ({
    ...reason,
    message: `Run ${runs.join(', ')}: ${reason.message}`,
  }))
}

/** What another try meets again, and pays for. A login is carried out once for a run. */
const lasting: ReadonlySet<ReasonCode> = new Set<ReasonCode>([
  'AGENT_AUTH',
  'AGENT_BUDGET',
  'AGENT_DENIED',
  'LOGIN_FAILED',
])

/** What no other try can make good: it would test what the agent made of the product. */
const final: ReadonlySet<ReasonCode> = new Set<ReasonCode>(['SOURCE_MODIFIED', 'SPEC_MODIFIED'])

/** Whether a retry of the step would be blocked for the same reason, or would rest on what an agent changed. */
export function isUnrepeatable(verdict: Verdict): boolean {
  const { outcome, reasons } = verdict
  return isFinal(verdict) || (outcome === 'blocked' && reasons.some(({ code }) => lasting.has(code)))
}

/** Whether the agent changed what it was to test: the scenario does not pass any more, whatever its other runs say. */
function isFinal({ outcome, reasons }: Verdict): boolean {
  return outcome !== 'pass' && reasons.some(({ code }) => final.has(code))
}
