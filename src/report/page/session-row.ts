import type { SessionSummary } from '../sessions/session-summary.ts'
import { element } from './element.ts'
import type { RowContent } from './row.ts'
import { formatCost, formatInstant, formatTime, plural } from './words.ts'

/** What the list tells of a session of `mdtest fix`. */
export function sessionRow(session: SessionSummary): RowContent {
  const { key, anchor, feature, outcome, word, attempts, reasons, durationMs, costUsd, startedAt } = session
  return {
    folder: 'sessions',
    key,
    anchor,
    title: feature,
    outcome,
    tone: outcome,
    word,
    before: [element('span', {}, failing(session))],
    facts: [
      plural(attempts.length, 'attempt'),
      formatTime(durationMs),
      ...(costUsd === undefined ? [] : [formatCost(costUsd)]),
      formatInstant(startedAt),
    ],
    parts: attempts.map((attempt) => ({ ...attempt, tone: attempt.outcome })),
    reasons,
  }
}

/** First and last, because the way between them is what was worked for. */
function failing({ total, failingFirst, failingLast }: SessionSummary): string {
  if (total === null || failingFirst === null || failingLast === null) return 'the tests never ran'
  return `${failingFirst === failingLast ? '' : `${failingFirst} → `}${failingLast} of ${plural(total, 'test')} ${failingLast === 1 && failingFirst === failingLast ? 'fails' : 'fail'}`
}
