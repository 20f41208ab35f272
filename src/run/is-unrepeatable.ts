import type { ReasonCode, Verdict } from '../verdict/verdict.ts'

/** What another try meets again, and pays for. A login is carried out once for a run. */
const lasting: ReadonlySet<ReasonCode> = new Set<ReasonCode>([
  'AGENT_AUTH',
  'AGENT_BUDGET',
  'AGENT_DENIED',
  'LOGIN_FAILED',
])

/** Whether a retry of the step would be blocked for the same reason. */
export function isUnrepeatable({ outcome, reasons }: Verdict): boolean {
  return outcome === 'blocked' && reasons.some(({ code }) => lasting.has(code))
}
