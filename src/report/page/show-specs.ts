import type { SessionsSummary } from '../sessions/session-summary.ts'
import type { Summary } from '../folder/summary.ts'
import { byId, element } from './element.ts'
import { showFacts } from './facts.ts'
import { showRows } from './show-rows.ts'
import { specRow } from './spec-row.ts'
import { outcomes, plural } from './words.ts'

/** The page of specs. */
export function showSpecs(summary: Summary, { sessions }: SessionsSummary): void {
  // A folder in which `mdtest fix` alone has written.
  if (summary.specs.length === 0 && summary.startedAt === undefined && sessions.length > 0) {
    location.replace(`sessions.html${location.hash}`)
    return
  }
  showFacts(summary)
  if (sessions.length > 0)
    byId('elsewhere').append(
      element('a', { href: 'sessions.html' }, `${plural(sessions.length, 'session')} of mdtest fix`),
    )
  // What did not pass first; the rest as folders have it.
  const rank = (outcome: string): number =>
    Math.min(
      2,
      outcomes.findIndex((each) => each === outcome),
    )
  showRows(summary.specs.toSorted((one, other) => rank(one.outcome) - rank(other.outcome)).map(specRow), 'spec')
}
