import type { SessionsSummary } from '../sessions/session-summary.ts'
import type { Summary } from '../folder/summary.ts'
import { byId, element } from './element.ts'
import { showRows } from './show-rows.ts'
import { specRow, isClaimedPass } from './spec-row.ts'
import { outcomes, plural, formatCost, formatInstant, formatTime, formatTokens, outcomeWords } from './words.ts'

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

/** Shows what became of the whole. */
function showFacts(summary: Summary): void {
  const { specs, errors, startedAt, endedAt } = summary
  const counts = outcomes.flatMap((outcome) => {
    const all = specs.filter((spec) => spec.outcome === outcome)
    const claimed = all.filter(isClaimedPass).length
    return [...counted(all.length - claimed, outcomeWords[outcome]), ...counted(claimed, 'claimed')]
  })
  document.title = counts.length === 0 ? 'Specs' : `${counts.join(', ')} · Specs`
  const day = startedAt === undefined ? [] : [time(startedAt)]
  const parts = [
    plural(specs.length, 'spec'),
    ...stepFacts(summary),
    ...carriedOut(summary),
    ...spent(summary),
    ...otherTests(summary),
    ...day,
  ]
  byId('facts').append(...parts.flatMap((part) => [element('span', {}, part), ' ']))
  const warnings = [
    ...(startedAt !== undefined && endedAt === undefined
      ? ['The run has not come to its end: there may be more. Load this page again.']
      : []),
    ...(endedAt !== undefined && summary.missing > 0 ? [`${plural(summary.missing, 'spec')} left no result.`] : []),
    ...errors.map((error) => `Outside of any test: ${error}`),
  ]
  byId('errors').append(...warnings.map((warning) => element('pre', { class: 'problem', tabindex: '0' }, warning)))
}

function stepFacts({ specs }: Summary): readonly string[] {
  const steps = specs.flatMap((spec) => spec.steps)
  const backed = (['verified', 'reproduced', 'witnessed', 'evidenced', 'observed', 'claimed'] as const).flatMap(
    (assurance) => {
      const count = specs.reduce((sum, spec) => sum + (spec.assurances[assurance] ?? 0), 0)
      return counted(count, assurance)
    },
  )
  const others = (['fail', 'blocked', 'skipped'] as const).flatMap((outcome) =>
    counted(steps.filter((step) => step.outcome === outcome).length, outcomeWords[outcome]),
  )
  const flaky = specs.reduce((sum, spec) => sum + spec.flaky, 0)
  const details = [...backed, ...others, ...counted(flaky, 'flaky')]
  const total = plural(steps.length, 'step')
  return [details.length === 0 ? total : `${total}: ${details.join(', ')}`]
}

function carriedOut({ sources }: Summary): readonly string[] {
  return sources === undefined ? [] : [sources]
}

function spent({ specs }: Summary): readonly string[] {
  const sum = (of: (spec: Summary['specs'][number]) => number): number =>
    specs.reduce((total, spec) => total + of(spec), 0)
  const tokens = sum((spec) => spec.tokens)
  const unknown = sum((spec) => spec.unknownUsages)
  const costs = specs.flatMap(({ costUsd }) => costUsd ?? [])
  return [
    formatTime(sum((spec) => spec.durationMs)),
    ...(tokens === 0 ? [] : [formatTokens(tokens)]),
    ...(unknown === 0 ? [] : [`usage of ${plural(unknown, 'agent')} unknown`]),
    ...(costs.length === 0 ? [] : [formatCost(costs.reduce((total, one) => total + one, 0))]),
  ]
}

function counted(count: number, word: string): readonly string[] {
  return count === 0 ? [] : [`${count} ${word}`]
}

/** They have a report of their own elsewhere. */
function otherTests({ otherTests: { pass, fail, skipped } }: Summary): readonly string[] {
  const total = pass + fail + skipped
  if (total === 0) return []
  const parts = [
    ...(fail === 0 ? [] : [`${fail} failed`]),
    `${pass} passed`,
    ...(skipped === 0 ? [] : [`${skipped} skipped`]),
  ]
  return [`besides ${plural(total, 'other test')}: ${parts.join(', ')}`]
}

function time(instant: string): Node {
  return element('time', { datetime: instant, title: instant }, formatInstant(instant))
}
