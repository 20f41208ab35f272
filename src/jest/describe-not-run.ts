import type { Scenario } from '../spec/spec.ts'
import { describeFailure } from '../plan/describe-failure.ts'
import type { FailureDetails } from '../plan/failure.ts'
import type { Reason, Verdict } from '../verdict/verdict.ts'

/** A test that has begun cannot be skipped in Jest: what was not run is a failure that says so. */
export function describeNotRun(
  verdict: Verdict,
  { scenario, ordinal }: { readonly scenario: Scenario; readonly ordinal: number },
): FailureDetails {
  const details = describeFailure(verdict, { scenario, ordinal, log: undefined, rate: undefined })
  return { ...details, message: `not run: ${verdict.reasons.map(describeSkip).join('\n')}` }
}

function describeSkip({ code, message }: Reason): string {
  if (code !== 'PREDECESSOR_FAILED') return `${code}: ${message}`
  return message.replace(/^Not judged, because (?:step "(.*)" (failed|was blocked)|(.*))\.$/s, (...match) => {
    const [, step, how, other] = match.map(String)
    return match[1] === undefined ? (other ?? message) : `step ${step} ${how}`
  })
}
