import { roundPercent, type CoverageReport } from '../../coverage/coverage.ts'
import type { Summary } from '../folder/summary.ts'
import { outcomeWords, toneWords } from '../tones.ts'
import { byId, element, type Child } from './element.ts'
import { showOutcomeBar } from './outcome-bar.ts'
import { showRows } from './show-rows.ts'
import { describeFindings, specRow, toneOfSpec } from './spec-row.ts'
import { outcomes, plural, formatCost, formatInstant, formatTime, formatTokens } from './words.ts'

/** The page of specs. */
export function showSpecs(summary: Summary, coverage: CoverageReport): void {
  showFacts(summary)
  const { covered, requirements } = coverage.summary
  if (requirements > 0) {
    const text = `${covered} of ${plural(requirements, 'requirement')} covered (${roundPercent(coverage.summary)} %)`
    byId('elsewhere').append(element('a', { href: 'coverage.html' }, text))
  }
  // What did not pass first; the rest as folders have it.
  const rank = (outcome: string): number =>
    Math.min(
      2,
      outcomes.findIndex((each) => each === outcome),
    )
  showRows(summary.specs.toSorted((one, other) => rank(one.outcome) - rank(other.outcome)).map(specRow))
}

/** Shows what became of the whole. */
function showFacts(summary: Summary): void {
  const { specs, errors, endedAt } = summary
  const counts = outcomes.flatMap((outcome) => {
    const tones = specs.filter((spec) => spec.outcome === outcome).map(toneOfSpec)
    const known = [outcome, 'claimed', 'expected'] as const // tones
    return known.flatMap((tone) => counted(tones.filter((one) => one === tone).length, toneWords[tone]))
  })
  document.title = counts.length === 0 ? 'Specs' : `${counts.join(', ')} · Specs`
  showSubject(summary)
  const parts = [
    plural(specs.length, 'spec'),
    ...stepFacts(summary),
    ...browserFacts(summary),
    ...carriedOut(summary),
    ...spent(summary),
    ...otherTests(summary),
  ]
  byId('facts').append(...parts.flatMap((part) => [element('span', {}, part), ' ']))
  const warnings = [
    ...(endedAt === undefined ? ['The run has not come to its end: there may be more. Load this page again.'] : []),
    ...(endedAt !== undefined && summary.missing > 0 ? [`${plural(summary.missing, 'spec')} left no result.`] : []),
    ...errors.map((error) => `Outside of any test: ${error}`),
  ]
  byId('errors').append(...warnings.map((warning) => element('pre', { class: 'problem', tabindex: '0' }, warning)))
}

/** What was tested, by whom, when, and how long it took. */
function showSubject({ specs, subject, wallTimeMs, startedAt }: Summary): void {
  const { project, baseUrls, agents, models, revision } = subject
  byId('project').textContent = project
  const { commit, branch, isModified } = revision ?? {}
  const facts: readonly (readonly [name: string, values: readonly Child[]])[] = [
    ['Base URL', baseUrls.map((url) => element('code', {}, url))],
    ['Agent', agents],
    ['Model', models],
    ['Branch', branch === undefined ? [] : [element('code', {}, branch)]],
    ['Commit', commit === undefined ? [] : [commitName(commit, isModified)]],
    ['Wall time', specs.length === 0 ? [] : [formatTime(wallTimeMs)]],
    ['Started', [time(startedAt)]],
  ]
  byId('subject').append(
    ...facts
      .filter(([, values]) => values.length > 0)
      .map(([name, values]) => {
        const left = values.length - maxValues
        const shown = values.slice(0, maxValues).flatMap((value) => [value, ' '])
        const more = left > 0 ? `and ${left} more` : undefined
        return element('div', {}, element('dt', {}, name), element('dd', {}, ...shown, more))
      }),
  )
}

function commitName(id: string, isModified?: true): Node {
  return element('code', { title: id }, `${id.slice(0, 10)}${isModified ? ' with changes' : ''}`)
}

/** Of several addresses, models and so on. */
const maxValues = 3

/** How many steps there are of each kind, the best first. */
function countSteps({ specs }: Summary): readonly (readonly [kind: string, tone: string, count: number])[] {
  const steps = specs.flatMap((spec) => spec.steps)
  const count = (isOne: (step: (typeof steps)[number]) => boolean): number => steps.filter(isOne).length
  const backed = (['verified', 'reproduced', 'witnessed', 'evidenced', 'observed', 'claimed'] as const).map(
    (assurance) => {
      const total = specs.reduce((sum, spec) => sum + (spec.assurances[assurance] ?? 0), 0)
      return [assurance, assurance === 'claimed' ? 'claimed' : `pass ${assurance}`, total] as const
    },
  )
  const others = (['fail', 'blocked', 'skipped'] as const).map(
    (outcome) => [outcomeWords[outcome], outcome, count((step) => step.outcome === outcome)] as const,
  )
  const expected = [toneWords.expected, 'expected', count(({ tone }) => tone === 'expected')] as const // as the others
  return [...backed, expected, ...others].filter(([, , total]) => total > 0)
}

function stepFacts(summary: Summary): readonly string[] {
  const { specs } = summary
  const kinds = countSteps(summary)
  const flaky = specs.reduce((sum, spec) => sum + spec.flaky, 0)
  const details = [...kinds.map(([kind, , count]) => `${count} ${kind}`), ...counted(flaky, 'flaky')]
  const total = plural(
    specs.reduce((sum, spec) => sum + spec.steps.length, 0),
    'step',
  )
  showOutcomeBar(kinds.map(([, tone, count]) => [tone, count]))
  return [details.length === 0 ? total : `${total}: ${details.join(', ')}`]
}

function browserFacts({ specs }: Summary): readonly string[] {
  const sum = (name: 'consoleErrors' | 'failedRequests'): number =>
    specs.reduce((total, { findings }) => total + (findings?.[name] ?? 0), 0)
  return describeFindings({ findings: { consoleErrors: sum('consoleErrors'), failedRequests: sum('failedRequests') } })
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
