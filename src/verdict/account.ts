import type { ResultLog, StepReport, StepResult } from '../records/result-log/result-log.ts'
import type { AgentEvidence, ScenarioEvidence, StepEvidence, Citation } from './verdict.ts'
import type { JudgedStep } from './rules/rule.ts'

/** What the agent says of the steps: its reports, or the log that it wrote where it reported nothing. */
export interface Account {
  readonly source: 'reports' | 'log'
  /** Absent in a log that speaks for all steps at once. */
  readonly steps?: readonly StepResult[] | undefined
  readonly status?: ResultLog['status']
  /** The run id. Reports need none: nobody can report without the scenario's token. */
  readonly run?: string | undefined
}

/** What decides on the steps; nothing where the agent said nothing that can be read. */
export function accountOf({ agent }: ScenarioEvidence): Account | undefined {
  if (agent === undefined) return undefined
  const reports = reportsOf(agent)
  if (reports.length > 0) return { source: 'reports', steps: reports }
  if (!agent.reading.ok) return undefined
  const { steps, status, run } = agent.reading.log
  return { source: 'log', steps, status, run }
}

/** What the agent says of this step; more than one entry is a contradiction. */
export function entriesOf(account: Account | undefined, { id }: Pick<StepEvidence, 'id'>): readonly StepResult[] {
  return account?.steps?.filter((entry) => entry.id === id) ?? []
}

export function isPassing({ status, checks = [] }: StepResult): boolean {
  return status === 'pass' && checks.every((check) => check.status === 'pass')
}

export function hasReports(agent: AgentEvidence): boolean {
  return reportsOf(agent).length > 0
}

export function isReported({ id }: StepEvidence, agent: AgentEvidence): boolean {
  return reportsOf(agent).some((report) => report.id === id) && agent.unseenReports?.includes(id) !== true
}

function reportsOf({ reports }: AgentEvidence): readonly StepReport[] {
  return reports ?? []
}

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

export function citationsOf({ agent }: ScenarioEvidence, { id }: StepEvidence): readonly Citation[] {
  return agent?.citations?.filter(({ stepId }) => stepId === id) ?? []
}

function quotesEarlier(evidence: ScenarioEvidence, step: StepEvidence): boolean {
  return citationsOf(evidence, step).some(({ kind, found, isEarlier }) => kind === 'quote' && found && isEarlier)
}
