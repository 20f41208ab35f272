import type { SpecSummary } from '../summary.ts'
import { element } from './element.ts'
import type { RowContent } from './row.ts'
import { formatCost, formatTime, outcomeWords, plural } from './words.ts'

/** What the list tells of a spec. */
export function specRow(spec: SpecSummary): RowContent {
  const { key, anchor, title, outcome, steps, reasons, flaky, durationMs, costUsd } = spec
  return {
    folder: 'specs',
    key,
    anchor,
    title,
    outcome,
    word: outcomeWords[outcome],
    before: title === anchor ? [] : [element('span', { class: 'path' }, anchor)],
    facts: [
      plural(steps.length, 'step'),
      ...(flaky === 0 ? [] : [`${flaky} flaky`]),
      formatTime(durationMs),
      ...(costUsd === undefined ? [] : [formatCost(costUsd)]),
    ],
    parts: steps,
    reasons,
  }
}
