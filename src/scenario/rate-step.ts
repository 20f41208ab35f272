import { assurances, type Outcome } from '../records/outcome.ts'
import { leastExecutor } from '../records/used-executor.ts'
import type { Repeats } from '../spec/front-matter/front-matter.ts'
import { withoutUndefined } from '../system/without-undefined.ts'
import type { Reason, ReasonCode, Verdict } from '../verdict/verdict.ts'

export interface Rate extends Repeats {
  readonly passed: number
}

/** Combines the verdicts of all runs of a step. If an agent changed product or spec in any run, the step fails. */
export function rateStep(
  verdicts: readonly Verdict[],
  context: { readonly repeats: Repeats; readonly stoppedBy: string | undefined },
): Verdict {
  const change = verdicts.find((verdict) => verdict.change !== undefined)?.change
  return { ...rated(verdicts, context), ...(change !== undefined && { change }) }
}

function rated(verdicts: readonly Verdict[], { repeats, stoppedBy }: Parameters<typeof rateStep>[1]): Verdict {
  const { runs, required } = repeats
  if (verdicts.some(isFinal)) return { outcome: 'fail', reasons: mergedReasons(verdicts, 'fail') }
  const passed = verdicts.filter(({ outcome }) => outcome === 'pass')
  if (passed.length >= required) return passOf(passed)
  const [first] = verdicts
  if (first && verdicts.every(({ outcome }) => outcome === 'skipped')) return first
  if (stoppedBy !== undefined) {
    const message = `Not judged, because step "${stoppedBy}" did not pass often enough.`
    return { outcome: 'skipped', reasons: [{ code: 'PREDECESSOR_FAILED', message }] }
  }
  const failed = verdicts.filter(({ outcome }) => outcome === 'fail').length
  const outcome = failed > runs - required ? 'fail' : 'blocked'
  return { outcome, reasons: mergedReasons(verdicts, outcome) }
}

/** The combined pass has the lowest assurance of all passed runs. */
function passOf(passed: readonly Verdict[]): Verdict {
  const firstOf = <Key extends keyof Verdict>(key: Key): Verdict[Key] | undefined =>
    passed.find((verdict) => verdict[key] !== undefined)?.[key]
  const backed = passed.flatMap((verdict) => verdict.assurance ?? [])
  return withoutUndefined<Verdict>({
    outcome: 'pass',
    reasons: [],
    assurance: backed.length < passed.length ? undefined : assurances.find((level) => backed.includes(level)),
    unreproduced: firstOf('unreproduced'),
    executor: leastExecutor(passed.map((verdict) => verdict.executor)),
    isUnproved: firstOf('isUnproved'),
    expected: firstOf('expected'),
  })
}

function mergedReasons(verdicts: readonly Verdict[], decisive: Outcome): readonly Reason[] {
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

/** Reasons that a retry cannot remedy. For example, a failed login is not tried again in the same run. */
const lasting = new Set<ReasonCode>(['AGENT_AUTH', 'AGENT_BUDGET', 'AGENT_DENIED', 'LOGIN_FAILED'])

/** With these reasons, a retry would test the product as the agent changed it. */
const final = new Set<ReasonCode>(['SOURCE_MODIFIED', 'SPEC_MODIFIED'])

export function isUnrepeatable(verdict: Verdict): boolean {
  const { outcome, reasons } = verdict
  return isFinal(verdict) || (outcome === 'blocked' && reasons.some(({ code }) => lasting.has(code)))
}

function isFinal({ outcome, reasons }: Verdict): boolean {
  return outcome !== 'pass' && reasons.some(({ code }) => final.has(code))
}
