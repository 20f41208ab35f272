import type { ResultLog, StepResult } from '../../records/result-log/result-log.ts'
import { accountOf, entriesOf, isPassing, logBesideReports } from '../account.ts'
import type { Account } from '../account.ts'
import { fail } from './rule.ts'
import type { Finding, JudgedStep, Rule } from './rule.ts'
import { isAskedOfAgent } from './step-rules.ts'
import type { ScenarioEvidence, StepEvidence } from '../verdict.ts'

/** The log's status against its list: a pass with a step that is none, or a failure that no step shows. */
export const statusContradicted: Rule = ({ step, evidence, isLastAsked }) => {
  const account = accountOf(evidence)
  if (account?.source !== 'log' || account.steps === undefined) return []
  if (account.status === 'pass') return passContradicted(account, { step, evidence, isLastAsked })
  if (!isLastAsked || hasFailingStep(account, evidence)) return []
  return [contradiction('The result log says `status: fail`, and no step in its list does.', step)]
}

/** The log that the agent wrote beside its reports says otherwise. The last step asked for answers for it. */
export const reportsContradicted: Rule = ({ step, evidence, isLastAsked }) => {
  const { agent } = evidence
  const reading = agent && logBesideReports(agent)
  if (!isLastAsked || reading?.ok !== true) return []
  const message = describeDifference(reading.log, evidence)
  return message === undefined ? [] : [contradiction(message, step)]
}

function passContradicted(
  account: Account,
  { step, evidence, isLastAsked }: Pick<JudgedStep, 'step' | 'evidence' | 'isLastAsked'>,
): readonly Finding[] {
  const here = entriesOf(account, step)
  // Steps not asked for and steps of code are not judged from the log, so the last step answers for them.
  const elsewhere = isLastAsked ? evidence.steps.filter((one) => !isAskedOfAgent(one)) : []
  const all = [...here, ...elsewhere.flatMap((one) => entriesOf(account, one))]
  const bad = all.find((entry) => entry.status !== 'pass')
  if (bad === undefined) return []
  return [
    contradiction(`The result log says \`status: pass\`, and \`${bad.status}\` for the step \`${bad.id}\`.`, step),
  ]
}

function hasFailingStep(account: Account, { steps }: ScenarioEvidence): boolean {
  return steps.filter(isAskedOfAgent).some((step) => entriesOf(account, step).some((entry) => !isPassing(entry)))
}

function describeDifference(log: ResultLog, evidence: ScenarioEvidence): string | undefined {
  const reports = accountOf(evidence)?.steps ?? []
  const bad = reports.find((report) => !isPassing(report))
  if (bad !== undefined && log.status === 'pass') {
    return `The agent's own result log says \`status: pass\`, and it reported the step \`${bad.id}\` otherwise.`
  }
  if (log.status === 'fail' && haveAllPassed(evidence)) {
    return "The agent's own result log says `status: fail`, and it reported that every step passed."
  }
  const other = log.steps?.find((entry) => !isPassing(entry) && isPassedIn(reports, entry))
  if (other === undefined) return undefined
  return `The agent's own result log does not let the step \`${other.id}\` pass, and its report does.`
}

/** A step without a report is a finding of its own, and a log that fails may mean that one: so each needs a report. */
function haveAllPassed(evidence: ScenarioEvidence): boolean {
  const account = accountOf(evidence)
  return evidence.steps.filter(isAskedOfAgent).every((step) => {
    const entries = entriesOf(account, step)
    return entries.length > 0 && entries.every(isPassing)
  })
}

function isPassedIn(reports: readonly StepResult[], { id }: StepResult): boolean {
  return reports.some((report) => report.id === id && isPassing(report))
}

function contradiction(message: string, step: StepEvidence): Finding {
  return fail('STATUS_CONTRADICTS_STEPS', message, step)
}
