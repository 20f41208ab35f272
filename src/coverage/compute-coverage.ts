import { assurances, type Assurance } from '../records/outcome.ts'
import type { ScenarioOutcome } from '../records/outcomes/outcome-files.ts'
import { stepsOf, type Scenario, type Spec } from '../spec/spec.ts'

/** How well a requirement is proved, worst first: three states without a pass, then the assurances of a pass. */
const proofStates = ['failed', 'blocked', 'never-run', ...assurances] as const

export type ProofState = (typeof proofStates)[number]

export const toldStates: readonly ProofState[] = [...proofStates.slice(3).toReversed(), ...proofStates.slice(0, 3)]

export interface Proof {
  readonly state: ProofState
  readonly isStale?: true
}

export function wordOf({ state, isStale }: Proof): string {
  return `${state.replace('-', ' ')}${isStale ? ', stale' : ''}`
}

export function roundPercent({ percent }: Pick<CoverageSummary, 'percent'>): number {
  return Math.floor(percent * 10) / 10
}

export interface CoveredScenario extends Proof {
  /** Includes the headings above the scenario, except the heading of the requirement. */
  readonly title: string
  readonly line: number
  readonly endedAt?: string
  /** Absent if no agent ran, for example because a recording was replayed. */
  readonly agent?: string
}

export interface CoveredRequirement extends Proof {
  readonly title: string
  readonly text?: string
  readonly line: number
  readonly scenarios: readonly CoveredScenario[]
}

export interface CoveredSpec {
  readonly spec: string
  readonly title: string
  readonly requirements: readonly CoveredRequirement[]
}

export function coverSpec(
  { title, scenarios, requirements = [] }: Spec,
  { path, outcomeOf }: { readonly path: string; outcomeOf(scenario: Scenario): ScenarioOutcome | undefined },
): CoveredSpec {
  const known = scenarios.map((scenario) => ({ scenario, outcome: outcomeOf(scenario) }))
  return {
    spec: path,
    title,
    requirements: requirements.map(({ column: _column, ...requirement }) => {
      const own = known.filter(({ scenario: { proves = {} } }) => Object.hasOwn(proves, requirement.title))
      const covered = own.map(({ scenario, outcome }) => coverScenario(scenario, requirement.title, outcome))
      return {
        ...requirement,
        state: proofStates.find((state) => covered.some((one) => one.state === state)) ?? 'never-run',
        ...(covered.some(({ isStale }) => isStale) && { isStale: true }),
        scenarios: covered,
      }
    }),
  }
}

function coverScenario(scenario: Scenario, requirement: string, outcome: ScenarioOutcome | undefined): CoveredScenario {
  const { line, proves = {}, groups = [] } = scenario
  const above = groups.map((group) => group.title).filter((name) => name !== requirement)
  const title = [...above, stepsOf(scenario)[0]?.title ?? scenario.title].join(' > ')
  const state = proofState(outcome)
  if (outcome === undefined || state === 'never-run') return { title, line, state }
  const { endedAt, agent } = outcome
  const isStale = outcome.proves[requirement] !== proves[requirement]
  return { title, line, state, ...(isStale && { isStale }), endedAt, ...(agent !== undefined && { agent }) }
}

function proofState(known: ScenarioOutcome | undefined): ProofState {
  if (known === undefined || known.outcome === 'skipped') return 'never-run'
  if (known.outcome === 'pass') return known.assurance ?? 'claimed'
  return known.outcome === 'fail' ? 'failed' : 'blocked'
}

export interface CoverageSummary {
  readonly requirements: number
  readonly states: Readonly<Record<ProofState, number>>
  /** Number of requirements whose text or blocks changed after their last test. */
  readonly stale: number
  /** A requirement is covered if it is proved with at least this assurance and has not changed since. */
  readonly assurance: Assurance
  readonly covered: number
  readonly percent: number
}

export interface CoverageReport {
  readonly specs: readonly CoveredSpec[]
  readonly summary: CoverageSummary
}

export function summarizeCoverage(specs: readonly CoveredSpec[], assurance: Assurance = 'evidenced'): CoverageSummary {
  const all = specs.flatMap(({ requirements }) => requirements)
  const least = proofStates.indexOf(assurance)
  const covered = all.filter(({ state, isStale }) => !isStale && proofStates.indexOf(state) >= least).length
  const counts = proofStates.map((state) => [state, all.filter((one) => one.state === state).length])
  return {
    requirements: all.length,
    states: Object.fromEntries(counts) as CoverageSummary['states'], // `counts` contains every state
    stale: all.filter(({ isStale }) => isStale).length,
    assurance,
    covered,
    percent: all.length === 0 ? 0 : (100 * covered) / all.length,
  }
}
