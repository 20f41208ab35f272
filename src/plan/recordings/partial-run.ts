import { relative } from 'node:path'
import { agentStepsOf, isWholeRun } from '../../scenario/plan-blocks.ts'
import type { Scenario } from '../../spec/spec.ts'
import { ownCommand } from '../../system/own-package.ts'
import { quoteWord } from '../../system/text/quoting.ts'
import type { Plan } from '../plan.ts'

/** Why a part of a scenario is nothing to record, and what to run instead. */
export function describePart(
  { line }: Scenario,
  { spec, root }: Pick<Plan, 'spec'> & { readonly root: string },
): string {
  const place = quoteWord(`${relative(root, spec.file)}:${line}`)
  return `Only a part of the scenario was asked for, and it is recorded whole. Run \`${ownCommand} record ${place}\`.`
}

interface PartialRun extends Pick<Plan, 'spec' | 'replay' | 'record'> {
  readonly root: string
  readonly selected: ReadonlySet<number>
}

/** Why `mdtest record` need not begin a scenario: an agent would work on a part of it for nothing. */
export function refusePart(
  scenario: Scenario,
  { selected, replay, record, ...context }: PartialRun,
): string | undefined {
  // Each step of each run asks this, and hardly any run is one of `mdtest record`.
  if (record?.command === undefined || isWholeRun(scenario, selected)) return undefined
  const hasAgent = agentStepsOf(replay?.scenarios[scenario.ordinal] ?? scenario).length > 0
  if (!hasAgent) return undefined
  return `NOT_ELIGIBLE: ${describePart(scenario, context)}`
}
