import type { CheckResult, StepResult } from '../../records/result-log/result-log.ts'
import type { SpecLine } from '../../spec/spec.ts'
import { blocked, fail } from './rule.ts'
import type { Finding } from './rule.ts'
import type { StepEvidence } from '../verdict.ts'

type SpecCheck = StepEvidence['checks'][number]

/** What the report of a step says of its checks. A step that did not pass needs no report of the rest. */
export function checkFindings(entry: StepResult, step: StepEvidence): readonly Finding[] {
  const reported = entry.checks ?? []
  const found = step.checks.flatMap((check) => oneCheck(check, reported, entry.status === 'pass'))
  return [...found, ...unknownChecks(reported, step)]
}

function oneCheck(check: SpecCheck, reported: readonly CheckResult[], isNeeded: boolean): readonly Finding[] {
  const results = reported.filter((result) => isFor(result, check))
  const [result] = results
  if (result === undefined) return isNeeded ? [unreported(`${name(check)} is not reported.`, check)] : []
  if (results.length > 1) return [unreported(`${name(check)} is reported ${results.length} times.`, check)]
  return statusFindings(result, check, isNeeded)
}

function statusFindings(result: CheckResult, check: SpecCheck, isNeeded: boolean): readonly Finding[] {
  const seen = result.observed ? ` The agent says: ${result.observed}` : ''
  switch (result.status) {
    case 'pass':
      return []
    case 'fail':
      return [fail('CHECK_FAILED', `${name(check)} is not met.${seen}`, check)]
    case 'blocked':
      return [blocked('AGENT_BLOCKED', `${name(check)} could not be tried.${seen}`, check)]
    case 'skipped':
      return isNeeded ? [unreported(`${name(check)} was skipped by the agent.${seen}`, check)] : []
    default:
      return [unreported(`Unknown status ${JSON.stringify(result.status satisfies never)}.`, check)]
  }
}

function unknownChecks(reported: readonly CheckResult[], step: StepEvidence): readonly Finding[] {
  return reported
    .filter((result) => !step.checks.some((check) => isFor(result, check)))
    .map((result) => unreported(`The result log reports a check that the step does not have: ${place(result)}.`, step))
}

/** By `n`, or by `line` instead; where both are given both must fit. */
function isFor({ n, line }: CheckResult, check: SpecCheck): boolean {
  if (n === undefined && line === undefined) return false
  return (n === undefined || n === check.n) && (line === undefined || line === check.line)
}

function place({ n, line }: CheckResult): string {
  const parts = [n === undefined ? [] : `n ${n}`, line === undefined ? [] : `line ${line}`].flat()
  return parts.length === 0 ? 'neither `n` nor `line` is given' : parts.join(', ')
}

function name(check: SpecCheck): string {
  return `Check ${check.n} "${check.text}"`
}

function unreported(message: string, at: SpecLine): Finding {
  return fail('CHECK_UNREPORTED', message, at)
}
