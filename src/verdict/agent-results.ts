import type { ResultLog, StepResult } from '../records/result-log/result-log.ts'
import type { AgentEvidence, ScenarioEvidence, StepEvidence, Citation } from './verdict.ts'
import type { Judged } from './rules/rule.ts'

export interface Account {
  readonly source: 'reports' | 'log'
  /** Absent if the log has a single result for all steps. */
  readonly steps?: readonly StepResult[] | undefined
  readonly status?: ResultLog['status']
}

export function accountOf({ agent }: ScenarioEvidence): Account | undefined {
  if (agent === undefined) return undefined
  if (hasReports(agent)) return { source: 'reports', steps: agent.reports }
  if (!agent.reading.ok) return undefined
  const { steps, status } = agent.reading.log
  return { source: 'log', steps, status }
}

/** The agent's results for this step. More than one result is a contradiction. */
export function resultsOfStep(account: Account | undefined, { id }: Pick<StepEvidence, 'id'>): readonly StepResult[] {
  return account?.steps?.filter((entry) => entry.id === id) ?? []
}

export function isPassing({ status, checks = [] }: StepResult): boolean {
  return status === 'pass' && checks.every((check) => check.status === 'pass')
}

export function hasReports({ reports = [] }: AgentEvidence): boolean {
  return reports.length > 0
}

export function isReported({ id }: StepEvidence, { reports = [], unseenReports = [] }: AgentEvidence): boolean {
  return reports.some((report) => report.id === id) && !unseenReports.includes(id)
}

/** Whether the agent acted in this step or quotes an earlier output. Without reports, an action in any step counts. */
export function hasActivity({ step, evidence }: Judged): boolean {
  const seen = evidence.agent?.journal?.filter(({ activity, denied }) => activity && denied !== true) ?? []
  if (seen.length === 0 || accountOf(evidence)?.source !== 'reports') return seen.length > 0
  const isOfStep = seen.some((entry) => entry.step === step.id)
  return (
    isOfStep || citationsOf(evidence, step).some(({ kind, found, isEarlier }) => kind === 'quote' && found && isEarlier)
  )
}

export function citationsOf({ agent }: ScenarioEvidence, { id }: StepEvidence): readonly Citation[] {
  return agent?.citations?.filter(({ stepId }) => stepId === id) ?? []
}
