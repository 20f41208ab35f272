import {
  roundPercent,
  toldStates,
  wordOf,
  type CoverageReport,
  type CoveredRequirement,
  type CoveredSpec,
  type Proof,
  type ProofState,
} from '../../coverage/coverage.ts'
import type { Summary } from '../folder/summary.ts'
import type { Tone } from '../tones.ts'
import { byId, element } from './element.ts'
import { showOutcomeBar } from './outcome-bar.ts'
import { addressOf } from './row.ts'
import { formatInstant, plural } from './words.ts'

/** The page of requirements: how well each is proved, document by document. */
export function showCoverage({ specs, summary }: CoverageReport, { subject, specs: reported }: Summary): void {
  const { requirements, states, stale, assurance, covered } = summary
  const counts = toldStates.filter((state) => states[state] > 0)
  document.title = `${covered} of ${plural(requirements, 'requirement')} covered`
  byId('project').textContent = subject.project
  showOutcomeBar(counts.map((state) => [`${tones[state]} ${state}`, states[state]]))
  const facts = [
    `${covered} of ${plural(requirements, 'requirement')} (${roundPercent(summary)} %) at least ${assurance} and not stale`,
    ...counts.map((state) => `${states[state]} ${wordOf({ state })}`),
    ...(stale > 0 ? [`${stale} stale`] : []),
  ]
  byId('facts').append(...facts.flatMap((fact) => [element('span', {}, fact), ' ']))
  const anchors = new Set(reported.map(({ anchor }) => anchor))
  if (reported.length > 0)
    byId('elsewhere').append(element('a', { href: 'index.html' }, plural(reported.length, 'spec')))
  byId('covered').append(...specs.map((spec) => specSection(spec, anchors)))
}

const tones = {
  verified: 'pass',
  reproduced: 'pass',
  witnessed: 'pass',
  evidenced: 'pass',
  observed: 'pass',
  claimed: 'claimed',
  failed: 'fail',
  blocked: 'blocked',
  'never-run': 'skipped',
} as const satisfies Readonly<Record<ProofState, Tone>>

function specSection({ spec, requirements }: CoveredSpec, anchors: ReadonlySet<string>): Node {
  // Of a spec that the report does not know there is nothing to open.
  const address = anchors.has(spec) ? `index.html${addressOf({ anchor: spec })}` : undefined
  const name = address === undefined ? spec : element('a', { href: address }, spec)
  return element('section', {}, element('h2', {}, name), element('ul', {}, ...requirements.map(requirementItem)))
}

function requirementItem(requirement: CoveredRequirement): Node {
  const { title, text, scenarios } = requirement
  return element(
    'li',
    { class: 'requirement' },
    element('h3', {}, stateLabel(requirement), ' ', title),
    text === undefined ? undefined : element('p', {}, text),
    scenarios.length === 0
      ? element('p', { class: 'none' }, 'No scenario proves it.')
      : element('ul', {}, ...scenarios.map(scenarioItem)),
  )
}

function scenarioItem(scenario: CoveredRequirement['scenarios'][number]): Node {
  const { title, line, endedAt, agent } = scenario
  const facts = [
    `line ${line}`,
    ...(endedAt === undefined ? [] : [formatInstant(endedAt)]),
    ...(agent === undefined ? [] : [agent]),
  ]
  return element('li', {}, stateLabel(scenario), ' ', title, ' ', element('small', {}, facts.join(', ')))
}

function stateLabel(proof: Proof): Node {
  const tone = tones[proof.state]
  return element('span', { class: `label ${proof.isStale && tone === 'pass' ? 'claimed' : tone}` }, wordOf(proof))
}
