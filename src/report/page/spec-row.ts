import type { SpecSummary } from '../folder/summary.ts'
import type { RowContent } from './row.ts'
import { formatCost, formatTime, outcomeWords, plural } from './words.ts'

/** What the list tells of a spec. */
export function specRow(spec: SpecSummary): RowContent {
  const { key, anchor, outcome, steps, reasons, flaky, durationMs, costUsd } = spec
  const isClaimed = isClaimedPass(spec)
  const title = spec.title.trim() === '' ? anchor : spec.title
  return {
    folder: 'specs',
    key,
    anchor,
    title,
    outcome,
    tone: isClaimed ? 'claimed' : outcome,
    word: isClaimed ? 'claimed' : outcomeWords[outcome],
    before: title === anchor ? undefined : anchor,
    facts: () => [
      plural(steps.length, 'step'),
      ...(isClaimed ? [`${spec.assurances.claimed} on the agent's word alone`] : []),
      ...(flaky === 0 ? [] : [`${flaky} flaky`]),
      ...describeFindings(spec),
      formatTime(durationMs),
      ...(costUsd === undefined ? [] : [formatCost(costUsd)]),
    ],
    parts: steps,
    reasons: spec.moreReasons === 0 ? reasons : [...reasons, `and ${spec.moreReasons} more`],
  }
}

/** What browsers told, whatever became of the steps: `2 console errors`, `1 request failed`. */
export function describeFindings({ findings }: Pick<SpecSummary, 'findings'>): readonly string[] {
  const { consoleErrors = 0, failedRequests = 0 } = findings ?? {}
  return [
    ...(consoleErrors === 0 ? [] : [plural(consoleErrors, 'console error')]),
    ...(failedRequests === 0 ? [] : [`${plural(failedRequests, 'request')} failed`]),
  ]
}

/** Whether the spec passed, and something in it on the agent's word alone: it is worth what its weakest step is. */
export function isClaimedPass({ outcome, assurances }: SpecSummary): boolean {
  return outcome === 'pass' && (assurances.claimed ?? 0) > 0
}
