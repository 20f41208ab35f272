import type { SpecSummary } from '../folder/summary.ts'
import type { RowContent } from './row.ts'
import { toneWords, type Tone } from '../tones.ts'
import { formatCost, formatTime, plural } from './words.ts'

/** What the list tells of a spec. */
export function specRow(spec: SpecSummary): RowContent {
  const { key, anchor, outcome, steps, reasons, flaky, durationMs, costUsd } = spec
  const tone = toneOfSpec(spec)
  const expected = steps.filter((step) => step.tone === 'expected').length
  const title = spec.title.trim() === '' ? anchor : spec.title
  return {
    key,
    anchor,
    title,
    outcome,
    tone,
    word: toneWords[tone],
    before: title === anchor ? undefined : anchor,
    facts: () => [
      plural(steps.length, 'step'),
      ...(tone === 'claimed' ? [`${spec.assurances.claimed} on the agent's word alone`] : []),
      ...(expected === 0 || tone === 'expected' ? [] : [`${expected} failed as expected`]),
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

/**
 * How a spec that passed did so: on the agent's word alone where something in it is, because it is worth what its weakest
 * step is; not at all where all that ran failed as expected.
 */
export function toneOfSpec({ outcome, assurances, steps }: SpecSummary): Tone {
  if (outcome !== 'pass') return outcome
  const green = steps.filter((step) => step.outcome === 'pass')
  if (green.length > 0 && green.every((step) => step.tone === 'expected')) return 'expected'
  return (assurances.claimed ?? 0) > 0 ? 'claimed' : outcome
}
