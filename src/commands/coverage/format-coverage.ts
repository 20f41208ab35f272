import { join } from 'node:path'
import {
  roundPercent,
  toldStates,
  wordOf,
  type CoverageSummary,
  type CoveredRequirement,
  type CoveredScenario,
  type CoveredSpec,
  type Proof,
} from '../../coverage/coverage.ts'
import { plainLine } from '../../system/text/plain-text.ts'
import { plural } from '../../system/text/format-amounts.ts'
import { indent, type Palette } from '../common/styled-text.ts'

/** How coverage is printed. */
interface Style {
  readonly summary: CoverageSummary
  /** The suite root, relative to where the command runs. */
  readonly from: string
  readonly palette: Palette
}

/** The requirements of all specs as text, each with its scenarios, and the numbers at the end. */
export function formatCoverage(specs: readonly CoveredSpec[], { summary, from, palette }: Style): string {
  const blocks = specs.map(({ spec, requirements }) => [
    palette.bold(plainLine(join(from, spec))),
    ...indent(requirements.flatMap((requirement) => formatRequirement(requirement, palette))),
    '',
  ])
  return [...blocks.flat(), ...formatSummary(summary), ''].join('\n')
}

function formatRequirement(requirement: CoveredRequirement, palette: Palette): readonly string[] {
  const { title, text, scenarios } = requirement
  const named = plainLine(text === undefined ? title : `${title} ${text}`)
  return [
    `${stateOf(requirement, palette)} ${named} ${palette.dim(`:${requirement.line}`)}`,
    ...indent(
      scenarios.length === 0
        ? [palette.dim('no scenario')]
        : scenarios.map((scenario) => formatScenario(scenario, palette)),
    ),
  ]
}

function formatScenario(scenario: CoveredScenario, palette: Palette): string {
  const { title, line, endedAt, agent } = scenario
  const facts = [`:${line}`, ...(endedAt === undefined ? [] : [endedAt]), ...(agent === undefined ? [] : [agent])]
  return `${stateOf(scenario, palette)} ${plainLine(title)} ${palette.dim(facts.join(' '))}`
}

function stateOf(proof: Proof, palette: Palette): string {
  const { state, isStale } = proof
  const word = wordOf(proof)
  if (state === 'failed' || state === 'blocked') return palette.red(word)
  return state === 'never-run' || isStale ? palette.yellow(word) : palette.green(word)
}

function formatSummary({
  requirements,
  states,
  stale,
  assurance,
  covered,
  ...more
}: CoverageSummary): readonly string[] {
  const counts = toldStates.filter((state) => states[state] > 0).map((state) => `${states[state]} ${wordOf({ state })}`)
  return [
    [`${plural(requirements, 'requirement')}: ${counts.join(', ')}`, ...(stale > 0 ? [`${stale} stale`] : [])].join(
      '; ',
    ),
    `covered: ${covered} of ${requirements} (${roundPercent(more)} %), at least ${assurance} and not stale`,
  ]
}
