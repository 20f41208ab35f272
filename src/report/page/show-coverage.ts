import {
  roundPercent,
  toldStates,
  wordOf,
  type CoverageReport,
  type CoveredRequirement,
  type CoveredSpec,
  type Proof,
  type ProofState,
} from '../../coverage/compute-coverage.ts'
import { counted, plural } from '../../system/text/wording.ts'
import type { Summary } from '../folder/summary.ts'
import type { Tone } from '../outcome-tones.ts'
import { addressOf, append, byId, element, separated, timeOf, toneLabel } from './element.ts'

export function showCoverage({ specs, summary }: CoverageReport, { subject, specs: reported }: Summary): void {
  const { requirements, states, stale, assurance, covered } = summary
  document.title = `${covered} of ${plural(requirements, 'requirement')} covered`
  byId('project').textContent = subject.project
  const facts = [
    `${covered} of ${plural(requirements, 'requirement')} (${roundPercent(summary)} %) at least ${assurance} and not stale`,
    ...toldStates.flatMap((state) => counted(states[state], wordOf({ state }))),
    ...counted(stale, 'stale'),
  ]
  append(byId('facts'), separated(facts.map((fact) => element('span', {}, fact))))
  const anchors = new Set(reported.map(({ anchor }) => anchor))
  if (reported.length > 0)
    byId('elsewhere').append(element('a', { href: 'index.html' }, plural(reported.length, 'spec')))
  byId('covered').append(...specs.map((spec) => specSection(spec, anchors)))
}

const tones: Readonly<Partial<Record<ProofState, Tone>>> = {
  ...{ claimed: 'claimed', failed: 'fail', blocked: 'blocked', 'never-run': 'skipped' },
}

function specSection({ spec, requirements }: CoveredSpec, anchors: ReadonlySet<string>): HTMLElement {
  // A spec that is not in this report has no page to link to.
  const name = anchors.has(spec) ? element('a', { href: `index.html${addressOf(spec)}` }, spec) : spec
  return element('section', {}, element('h2', {}, name), element('ul', {}, ...requirements.map(requirementItem)))
}

function requirementItem(requirement: CoveredRequirement): HTMLElement {
  const { title, text, scenarios } = requirement
  return element(
    'li',
    { class: 'requirement' },
    element('h3', {}, stateLabel(requirement), ' ', title),
    text === undefined ? undefined : element('p', {}, text),
    scenarios.length === 0
      ? element('p', { class: 'note' }, 'No scenario proves it.')
      : element('ul', {}, ...scenarios.map(scenarioItem)),
  )
}

function scenarioItem(scenario: CoveredRequirement['scenarios'][number]): HTMLElement {
  const { title, line, endedAt, agent } = scenario
  const facts = [`line ${line}`, endedAt && timeOf(endedAt), agent]
  return element('li', {}, stateLabel(scenario), ' ', title, ' ', element('small', { class: 'note' }, separated(facts)))
}

function stateLabel(proof: Proof): HTMLElement {
  const tone = tones[proof.state] ?? 'pass'
  return toneLabel(proof.isStale && tone === 'pass' ? 'claimed' : tone, wordOf(proof))
}
