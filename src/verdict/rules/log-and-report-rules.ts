import type { StepResult, CheckResult } from '../../records/result-log/result-log.ts'
import { accountOf, resultsOfStep, hasReports, type Account, isPassing } from '../agent-results.ts'
import { blocked, fail, type Finding, type Judged, type Rule } from './rule.ts'
import type { StepEvidence } from '../verdict.ts'
import type { Check, SpecLine } from '../../spec/spec.ts'

/** Judges the agent's result for this step. The status of a log without `steps` counts for the agent's last step. */
export const stepReported: Rule = ({ step, evidence, isLastAsked }) => {
  const account = accountOf(evidence)
  if (account === undefined) return []
  if (evidence.agent?.unseenReports?.includes(step.id)) {
    const message = `A report of the step \`${step.id}\` came with the token of the scenario, and no such call is in the agent's own event stream. Somebody else made it: another agent of the run, or a program that this one started.`
    return [fail('STEP_UNREPORTED', message, step)]
  }
  if (account.steps === undefined) {
    const message = 'The agent reports `status: fail` without a list of steps; see the body of the result log.'
    return account.status === 'fail' && isLastAsked ? [fail('STEP_FAILED', message, step)] : []
  }
  const entries = resultsOfStep(account, step)
  const [entry] = entries
  if (entry === undefined) return [fail('STEP_UNREPORTED', notReported(account, step), step)]
  if (entries.length > 1) return [fail('STEP_UNKNOWN', reportedTwice(entries, step), step)]
  return [...statusFindings(entry, step), ...checkFindings(entry, step)]
}

/** Unknown step ids, and repeated results of steps without an agent. The agent's last step gets these findings. */
export const stepsUnknown: Rule = ({ step, evidence, isLastAsked }) => {
  const account = accountOf(evidence)
  if (account?.steps === undefined || !isLastAsked) return []
  return [...new Set(account.steps.map((entry) => entry.id))].flatMap((id) => {
    const named = evidence.steps.find((one) => one.id === id)
    if (named === undefined) {
      const ids = evidence.steps.map((one) => `\`${one.id}\``).join(', ')
      const message = `The agent reports a step \`${id}\` that the scenario does not have. It has ${ids}.`
      return [fail('STEP_UNKNOWN', message, step)]
    }
    const entries = resultsOfStep(account, named)
    if (isOfAgent(named) || entries.length < 2) return []
    return [fail('STEP_UNKNOWN', reportedTwice(entries, named), step)]
  })
}

export function observedOf({ step, evidence }: Judged): string | undefined {
  return resultsOfStep(accountOf(evidence), step)[0]?.observed
}

export function isOfAgent({ actor }: StepEvidence): boolean {
  return actor === 'agent'
}

function statusFindings({ status, observed }: StepResult, step: StepEvidence): readonly Finding[] {
  const seen = observed ? ` It says: "${observed}".` : ''
  if (status === 'pass') return []
  if (status === 'fail') return [fail('STEP_FAILED', `The agent reports a failure.${seen}`, step)]
  if (status === 'blocked')
    return [blocked('AGENT_BLOCKED', `The agent reports that it could not try this step.${seen}`, step)]
  return [fail('STEP_UNREPORTED', `The agent skipped this step, though it was asked for.${seen}`, step)]
}

function notReported({ source, steps = [] }: Account, { id }: StepEvidence): string {
  if (source === 'reports') return `The agent ended and did not report the step \`${id}\`.`
  const others = steps.length === 0 ? 'its list of steps is empty' : `its list of steps has ${steps.length} others`
  return `The result log does not report the step \`${id}\`: ${others}.`
}

function reportedTwice(entries: readonly StepResult[], { id }: StepEvidence): string {
  const statuses = entries.map((entry) => entry.status).join(', ')
  return `The agent reports the step \`${id}\` ${entries.length} times: ${statuses}.`
}

/** Findings about the checks of a reported step. Only a passed step must report all checks. */
function checkFindings(
  { status, checks: reported = [] }: StepResult,
  { checks, ...step }: StepEvidence,
): readonly Finding[] {
  const isNeeded = status === 'pass'
  const found = checks.flatMap((check) => {
    const [result, ...others] = reported.filter((result) => isFor(result, check))
    if (result === undefined) return isNeeded ? [unreported(`${name(check)} is not reported.`, check)] : []
    if (others.length > 0) return [unreported(`${name(check)} is reported ${others.length + 1} times.`, check)]
    return checkStatusFindings(result, check, isNeeded)
  })
  const unknown = reported.filter((result) => !checks.some((check) => isFor(result, check)))
  const foreign = unknown.map((one) => `The agent reports a check that the step does not have: ${place(one)}.`)
  return [...found, ...foreign.map((message) => unreported(message, step))]
}

function checkStatusFindings(result: CheckResult, check: Check, isNeeded: boolean): readonly Finding[] {
  const seen = result.observed ? ` The agent says: ${result.observed}` : ''
  if (result.status === 'pass') return []
  if (result.status === 'fail') return [fail('CHECK_FAILED', `${name(check)} is not met.${seen}`, check)]
  if (result.status === 'blocked') return [blocked('AGENT_BLOCKED', `${name(check)} could not be tried.${seen}`, check)]
  return isNeeded ? [unreported(`${name(check)} was skipped by the agent.${seen}`, check)] : []
}

function isFor({ n, line }: CheckResult, check: Check): boolean {
  if (n === undefined && line === undefined) return false
  return (n === undefined || n === check.n) && (line === undefined || line === check.line)
}

function place({ n, line }: CheckResult): string {
  const parts = [...(n === undefined ? [] : [`n ${n}`]), ...(line === undefined ? [] : [`line ${line}`])]
  return parts.join(', ') || 'neither `n` nor `line` is given'
}

function name(check: Check): string {
  return `Check ${check.n} "${check.text}"`
}

function unreported(message: string, at: SpecLine): Finding {
  return fail('CHECK_UNREPORTED', message, at)
}

/** Finds a log with status `pass` and a step that did not pass, or with status `fail` and no failed step. */
export const statusContradicted: Rule = ({ step, evidence, isLastAsked }) => {
  const account = accountOf(evidence)
  if (account?.source !== 'log' || account.steps === undefined) return []
  const asked = evidence.steps.filter(isOfAgent)
  const contradiction = (message: string): readonly Finding[] => [fail('STATUS_CONTRADICTS_STEPS', message, step)]
  if (account.status === 'fail') {
    const isShown = asked.some((one) => resultsOfStep(account, one).some((entry) => !isPassing(entry)))
    if (isShown || !isLastAsked) return []
    return contradiction('The result log says `status: fail`, and no step in its list does.')
  }
  // Findings about steps without an agent appear at the agent's last step.
  const elsewhere = isLastAsked ? evidence.steps.filter((one) => !asked.includes(one)) : []
  const bad = [step, ...elsewhere].flatMap((one) => resultsOfStep(account, one)).find(({ status }) => status !== 'pass')
  if (bad === undefined) return []
  return contradiction(`The result log says \`status: pass\`, and \`${bad.status}\` for the step \`${bad.id}\`.`)
}

/** Tolerance for file systems with coarse times. An older log is no danger, because each run has a new log name. */
const staleToleranceMs = 2000

/** Without reports, the log must be valid, not older than the run, and must not name another run. */
export const logUnusable: Rule = ({ step, evidence: { agent } }) => {
  if (agent === undefined || hasReports(agent)) return []
  const { reading, startedAtMs, runId } = agent
  if (!reading.ok) return [fail(reading.code, reading.message, step)]
  // `!(a >= b)` instead of `a < b`, so that NaN counts as stale.
  if (!(reading.modifiedAtMs >= startedAtMs - staleToleranceMs)) {
    const message = 'The result log is older than the start of the agent, so it is not from this run.'
    return [fail('LOG_STALE', message, step)]
  }
  const { run = runId } = reading.log
  if (run === runId) return []
  const message = `The result log carries the run id \`${run}\`, expected \`${runId}\`: it is from another run.`
  return [fail('LOG_WRONG_RUN', message, step)]
}
