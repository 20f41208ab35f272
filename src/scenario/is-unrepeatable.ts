import type { ReasonCode, Verdict } from '../verdict/verdict.ts'

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
export function isFinal({ outcome, reasons }: Verdict): boolean {
  return outcome !== 'pass' && reasons.some(({ code }) => final.has(code))
}
