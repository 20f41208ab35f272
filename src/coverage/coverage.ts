import type { Assurance } from '../records/outcome.ts'
import type { ScenarioOutcome } from '../records/outcomes/outcome-files.ts'
import { stepsOf, type Scenario, type Spec } from '../spec/spec.ts'

/** How well something is proved, worst first: not at all, or the assurance of a pass. */
export const proofStates = [
  'failed',
  'blocked',
  'never-run',
  'claimed',
  'observed',
  'evidenced',
  'witnessed',
  'reproduced',
  'verified',
] as const satisfies readonly (Assurance | 'failed' | 'blocked' | 'never-run')[]

/** How well something is proved. */
export type ProofState = (typeof proofStates)[number]

/** The states as they are told: what is proved best first, then what is not proved. */
export const toldStates: readonly ProofState[] = [...proofStates.slice(3).toReversed(), ...proofStates.slice(0, 3)]

/** How well something is proved now. */
export interface Proof {
  readonly state: ProofState
  /** It says something else since. */
  readonly isStale?: true
}

/** The same in words. */
export function wordOf({ state, isStale }: Proof): string {
  return `${state.replace('-', ' ')}${isStale ? ', stale' : ''}`
}

/** In whole tenths, never more than there is. */
export function roundPercent({ percent }: Pick<CoverageSummary, 'percent'>): number {
  return Math.floor(percent * 10) / 10
}

/** A scenario of a requirement, and what became of it last; stale where one of the two says something else. */
export interface CoveredScenario extends Proof {
  /** With the headings that it stands below, apart from the requirement. */
  readonly title: string
  readonly line: number
  /** ISO 8601 UTC; absent for one that was never run, like the next. */
  readonly endedAt?: string
  /** Name of the agent; absent where a recording stood in for it, too. */
  readonly agent?: string
}

/** A requirement: it is proved as well as the weakest of its scenarios, and stale where one of them is. */
export interface CoveredRequirement extends Proof {
  readonly title: string
  /** What it says, where its title is a number. */
  readonly text?: string
  readonly line: number
  /** May be empty: nothing proves it. */
  readonly scenarios: readonly CoveredScenario[]
}

/** The requirements of a document. */
export interface CoveredSpec {
  /** Path relative to the suite root, with slashes. */
  readonly spec: string
  readonly title: string
  readonly requirements: readonly CoveredRequirement[]
}

/** What is proved of a document, by what is known of its scenarios. */
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
      const covered = own.map((one) => coverScenario(one.scenario, { ...one, requirement: requirement.title }))
      return {
        ...requirement,
        state: covered.length === 0 ? 'never-run' : worstOf(covered.map(({ state }) => state)),
        ...(covered.some(({ isStale }) => isStale) && { isStale: true as const }), // a literal
        scenarios: covered,
      }
    }),
  }
}

interface KnownOutcome {
  readonly outcome: ScenarioOutcome | undefined
  /** Title of the requirement that is asked about. */
  readonly requirement: string
}

function coverScenario(scenario: Scenario, { outcome, requirement }: KnownOutcome): CoveredScenario {
  const { line, proves = {} } = scenario
  const title = titleOf(scenario, requirement)
  const state = stateOf(outcome)
  if (outcome === undefined || state === 'never-run') return { title, line, state }
  const isStale = outcome.proves[requirement] !== proves[requirement]
  const { endedAt, agent } = outcome
  return {
    title,
    line,
    state,
    ...(isStale && { isStale }),
    endedAt,
    ...(agent !== undefined && { agent }),
  }
}

/** As its test is called, below the requirement. */
function titleOf({ groups = [], title, ...scenario }: Scenario, requirement: string): string {
  const above = groups.map((group) => group.title).filter((name) => name !== requirement)
  const [step] = stepsOf(scenario)
  return [...above, step?.title ?? title].join(' > ')
}

function stateOf(known: ScenarioOutcome | undefined): ProofState {
  switch (known?.outcome) {
    case 'pass':
      return known.assurance ?? 'claimed'
    case 'fail':
      return 'failed'
    case 'blocked':
      return 'blocked'
    case 'skipped':
    case undefined:
      return 'never-run'
  }
}

function worstOf(states: readonly ProofState[]): ProofState {
  return proofStates.find((state) => states.includes(state)) ?? 'never-run'
}

/** Numbers over all requirements. */
export interface CoverageSummary {
  readonly requirements: number
  /** How many are in which state. */
  readonly states: Readonly<Record<ProofState, number>>
  /** How many say something else since they were proved, in whatever state. */
  readonly stale: number
  /** What counts as covered: proved with this assurance or a better one, and not stale. */
  readonly assurance: Assurance
  readonly covered: number
  /** 0 to 100. */
  readonly percent: number
}

/** What the page of a report tells of requirements. */
export interface CoverageReport {
  readonly specs: readonly CoveredSpec[]
  readonly summary: CoverageSummary
}

/** What counts as covered where nothing else is said. */
const usualAssurance: Assurance = 'evidenced'

/** Counts requirements by how well they are proved, never by titles. */
export function summarizeCoverage(
  specs: readonly CoveredSpec[],
  assurance: Assurance = usualAssurance,
): CoverageSummary {
  const all = specs.flatMap(({ requirements }) => requirements)
  const least = proofStates.indexOf(assurance)
  const covered = all.filter(({ state, isStale }) => !isStale && proofStates.indexOf(state) >= least).length
  const count = (state: ProofState): number => all.filter((one) => one.state === state).length
  return {
    requirements: all.length,
    states: Object.fromEntries(proofStates.map((state) => [state, count(state)])) as CoverageSummary['states'], // each of them
    stale: all.filter(({ isStale }) => isStale).length,
    assurance,
    covered,
    percent: all.length === 0 ? 0 : (100 * covered) / all.length,
  }
}
