import type { SessionsSummary, SessionSummary } from '../sessions/session-summary.ts'
import type { Summary } from '../folder/summary.ts'
import { byId, element } from './element.ts'
import { showRows } from './show-rows.ts'
import { formatCost, formatTime, plural, formatInstant } from './words.ts'
import type { RowContent } from './row.ts'

/** The page of what `mdtest fix` has done, the newest first. */
export function showSessions({ sessions, unreadable }: SessionsSummary, { specs }: Summary): void {
  const words = new Map(sessions.map(({ word, outcome }) => [word, outcome]))
  const counts = [...words.keys()].map((word) => `${sessions.filter((each) => each.word === word).length} ${word}`)
  document.title = `${counts.join(', ')} · mdtest fix`
  const costs = sessions.flatMap(({ costUsd }) => costUsd ?? [])
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)
  const facts = [
    plural(sessions.length, 'session'),
    plural(sum(sessions.map(({ attempts }) => attempts.length)), 'attempt'),
    formatTime(sum(sessions.map(({ durationMs }) => durationMs))),
    ...(costs.length === 0 ? [] : [formatCost(sum(costs))]),
  ]
  byId('facts').append(...facts.flatMap((fact) => [element('span', {}, fact), ' ']))
  if (specs.length > 0) byId('elsewhere').append(element('a', { href: 'index.html' }, plural(specs.length, 'spec')))
  byId('errors').append(
    ...unreadable.map(({ id, why }) =>
      element('pre', { class: 'problem', tabindex: '0' }, `The session ${id} cannot be read. ${why}`),
    ),
  )
  showRows(sessions.toSorted((one, other) => (one.startedAt < other.startedAt ? 1 : -1)).map(sessionRow), 'session')
}

/** What the list tells of a session of `mdtest fix`. */
function sessionRow(session: SessionSummary): RowContent {
  const { key, anchor, feature, outcome, word, attempts, reasons, durationMs, costUsd, startedAt } = session
  return {
    folder: 'sessions',
    key,
    anchor,
    title: feature,
    outcome,
    tone: outcome,
    word,
    before: failing(session),
    facts: () => [
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
