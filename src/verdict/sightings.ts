import { accountOf } from './account.ts'
import type { JudgedStep } from './rules/rule.ts'
import type { Citation, ScenarioEvidence, StepEvidence } from './verdict.ts'

/**
 * Whether the agent was seen to do something for this step: with reports since the one before, or earlier if it
 * quotes what that showed; where it wrote the log, in the scenario.
 */
export function hasActivity({ step, evidence }: Pick<JudgedStep, 'step' | 'evidence'>): boolean {
  const seen = evidence.agent?.journal?.filter(({ activity, denied }) => activity && denied !== true) ?? []
  if (seen.length === 0) return false
  if (accountOf(evidence)?.source !== 'reports') return true
  return seen.some((entry) => entry.step === step.id) || quotesEarlier(evidence, step)
}

/** What the agent cites for this step and its checks. */
export function citationsOf({ agent }: ScenarioEvidence, { id }: StepEvidence): readonly Citation[] {
  return agent?.citations?.filter(({ stepId }) => stepId === id) ?? []
}

function quotesEarlier(evidence: ScenarioEvidence, step: StepEvidence): boolean {
  return citationsOf(evidence, step).some(({ kind, found, isEarlier }) => kind === 'quote' && found && isEarlier)
}
