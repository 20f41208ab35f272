import { formatCost } from '../../records/tokens-and-cost.ts'
import { assurances } from '../../records/outcome.ts'
import { counted, plural } from '../../system/text/wording.ts'
import type { SpecSummary, Summary } from '../folder/summary.ts'
import { toneWords, type Tone } from '../outcome-tones.ts'
import { append, byId, element, formatTime, separated, timeOf, type Child } from './element.ts'
import { describeFindings } from './show-evidence.ts'

export const tones = ['fail', 'blocked', 'pass', 'claimed', 'expected', 'skipped'] as const satisfies readonly Tone[]

export function showHead(summary: Summary): void {
  const { name = 'Specs', specs, subject, errors, endedAt, missing } = summary
  const counts = tones.flatMap((tone) => counted(specs.filter((spec) => spec.tone === tone).length, toneWords[tone]))
  document.title = [...(counts.length === 0 ? [] : [counts.join(', ')]), name].join(' · ')
  byId('name').textContent = name
  byId('project').textContent = subject.project
  append(byId('subject'), subjectFacts(summary))
  if (summary.name === undefined)
    append(byId('facts'), separated(totals(summary).map((total) => element('span', {}, total))))
  const warnings = [
    ...(endedAt === undefined ? ['The run has not come to its end: there may be more. Load this page again.'] : []),
    ...(endedAt !== undefined && missing > 0 ? [`${plural(missing, 'spec')} left no result.`] : []),
    ...errors.map((error) => `Outside of any test: ${error}`),
  ]
  append(
    byId('errors'),
    warnings.map((warning) => element('pre', { class: 'problem', tabindex: '0' }, warning)),
  )
}

const maxValues = 3

function subjectFacts({ specs, subject, wallTimeMs, startedAt }: Summary): readonly Child[] {
  const { baseUrls, agents, models, revision } = subject
  const code = (text: string, title?: string): Child => element('code', { title }, text)
  const changes = revision?.isModified ? ' with changes' : ''
  const facts: readonly (readonly [name: string, values: readonly Child[]])[] = [
    ['Base URL', baseUrls.map((url) => code(url))],
    ['Agent', agents],
    ['Model', models],
    ['Branch', revision?.branch === undefined ? [] : [code(revision.branch)]],
    ['Commit', revision ? [code(`${revision.commit.slice(0, 10)}${changes}`, revision.commit)] : []],
    ['Wall time', specs.length === 0 ? [] : [formatTime(wallTimeMs)]],
    ['Started', [timeOf(startedAt)]],
  ]
  return facts
    .filter(([, values]) => values.length > 0)
    .map(([name, values]) => {
      const left = values.length - maxValues
      const more = left > 0 ? `and ${left} more` : undefined
      return element('div', {}, element('dt', {}, name), element('dd', {}, separated(values.slice(0, maxValues)), more))
    })
}

function totals(summary: Summary): readonly string[] {
  const { specs, sources } = summary
  const sum = (numberOf: (spec: SpecSummary) => number): number =>
    specs.reduce((total, spec) => total + numberOf(spec), 0)
  const steps = plural(
    sum((spec) => spec.steps.length),
    'step',
  )
  const kinds = stepKinds(specs)
  const tokens = sum((spec) => spec.tokens)
  const unknown = sum((spec) => spec.unknownUsages)
  const costs = specs.flatMap(({ costUsd }) => costUsd ?? [])
  return [
    plural(specs.length, 'spec'),
    kinds.length === 0 ? steps : `${steps}: ${kinds.join(', ')}`,
    ...describeFindings({
      consoleErrors: sum((spec) => spec.findings.consoleErrors),
      failedRequests: sum((spec) => spec.findings.failedRequests),
    }),
    ...(sources === undefined ? [] : [sources]),
    ...(tokens === 0
      ? []
      : [`${tokens.toLocaleString('en-US', { notation: 'compact', maximumFractionDigits: 1 })} tokens`]),
    ...(unknown === 0 ? [] : [`usage of ${plural(unknown, 'agent')} unknown`]),
    ...(costs.length === 0 ? [] : [formatCost(costs.reduce((total, one) => total + one, 0))]),
    ...otherTests(summary),
  ]
}

function stepKinds(specs: readonly SpecSummary[]): readonly string[] {
  const steps = specs.flatMap((spec) => spec.steps)
  const flaky = specs.reduce((total, spec) => total + spec.flaky, 0)
  const ofTone = (tone: Tone): readonly string[] =>
    counted(steps.filter((step) => step.tone === tone).length, toneWords[tone])
  const ofAssurance = (level: string): readonly string[] =>
    counted(steps.filter(({ assurance }) => assurance === level).length, level)
  return [
    ...assurances.toReversed().flatMap(ofAssurance),
    ...(['expected', 'fail', 'blocked', 'skipped'] as const).flatMap(ofTone),
    ...counted(flaky, 'flaky'),
  ]
}

function otherTests({ otherTests: { pass, fail, skipped } }: Summary): readonly string[] {
  const total = pass + fail + skipped
  const parts = [...counted(fail, 'failed'), `${pass} passed`, ...counted(skipped, 'skipped')]
  return total === 0 ? [] : [`besides ${plural(total, 'other test')}: ${parts.join(', ')}`]
}
