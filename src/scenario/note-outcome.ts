import { assurances } from '../records/outcome.ts'
import type { ScenarioOutcome } from '../records/outcomes/scenario-outcome.ts'
import { outcomeOfRuns } from '../records/verdict/outcome-of-runs.ts'
import type { ScenarioVerdict } from '../records/verdict/verdict-record.ts'
import { summarizeOutcomes } from '../verdict/summarize-outcomes.ts'
import type { ScenarioInput } from './scenario-input.ts'

interface EndedRun {
  /** Absent where something broke before the last step. */
  readonly verdict: ScenarioVerdict | undefined
  /** Absent where none worked. */
  readonly agent: { readonly name: string } | undefined
}

/** Has written down what became of a scenario that proves requirements, where that can be written: it changes no verdict. */
export async function noteOutcome(
  { scenario, spec, root, settings: { logs }, host }: ScenarioInput,
  { verdict, agent }: EndedRun,
): Promise<void> {
  const { title, proves } = scenario
  if (proves === undefined) return
  const became = verdict === undefined ? { outcome: 'blocked' as const } : outcomeOf(verdict) // a literal
  const place = { specFile: spec.file, root, ...(logs.dir !== undefined && { dir: logs.dir }) }
  const ended = { scenario: title, ...became, ...(agent && { agent: agent.name }), proves }
  // A project that can only be read has no coverage, and its tests pass and fail as ever.
  await host.noteOutcome(place, ended).catch(() => {})
}

/** What became of a scenario as a whole: the worst of its steps, and of a pass the weakest assurance. */
function outcomeOf({ steps, repeat }: ScenarioVerdict): Pick<ScenarioOutcome, 'outcome' | 'assurance'> {
  // What fails as expected proves nothing.
  const outcome = summarizeOutcomes(
    steps.map((step) => (step.expected === undefined ? outcomeOfRuns(step, repeat) : 'fail')),
  )
  if (outcome !== 'pass') return { outcome }
  const backed = steps.flatMap(({ assurance }) => assurance ?? [])
  const assurance = assurances.find((each) => backed.includes(each))
  return { outcome, ...(assurance && { assurance }) }
}
