import type { LogReading } from '../../records/result-log/result-log.ts'
import { hasReports, logBesideReports } from '../account.ts'
import { fail } from './rule.ts'
import type { JudgedStep, Rule } from './rule.ts'

/**
 * How much older than the start a log may be. File times come from a coarser clock than `Date.now()`, and the
 * coarsest file systems (FAT) keep 2 s. The log's name is new in each run, so this lets no old log in.
 */
const staleToleranceMs = 2000

/**
 * The log is there and cannot be used. Beside reports a broken log takes nothing away from them, unless it has a
 * status that is not `pass`.
 */
export const logInvalid: Rule = (judged) => {
  const reading = readingFor(judged)
  if (reading === undefined || reading.ok) return []
  if (isBesideReports(judged) && reading.code !== 'LOG_INVALID_STATUS') return []
  return [fail(reading.code, reading.message, judged.step)]
}

/** The log is older than the run. */
export const logStale: Rule = (judged) => {
  const { agent } = judged.evidence
  const reading = readingFor(judged)
  if (agent === undefined || reading?.ok !== true) return []
  // Written so that a time that is not a number is stale.
  if (reading.modifiedAtMs >= agent.startedAtMs - staleToleranceMs) return []
  const message = 'The result log is older than the start of the agent, so it is not from this run.'
  return [fail('LOG_STALE', message, judged.step)]
}

/** The log names another run. A log that names none is accepted here. */
export const logOfOtherRun: Rule = (judged) => {
  const { agent } = judged.evidence
  const reading = readingFor(judged)
  if (agent === undefined || reading?.ok !== true) return []
  const { run } = reading.log
  if (run === undefined || run === agent.runId) return []
  const message = `The result log carries the run id \`${run}\`, expected \`${agent.runId}\`: it is from another run.`
  return [fail('LOG_WRONG_RUN', message, judged.step)]
}

/** The log that this step has to answer for: where reports decide, the last step answers for what lies beside them. */
function readingFor({ evidence: { agent }, isLastAsked }: JudgedStep): LogReading | undefined {
  if (agent === undefined || !hasReports(agent)) return agent?.reading
  return isLastAsked ? logBesideReports(agent) : undefined
}

function isBesideReports({ evidence: { agent } }: JudgedStep): boolean {
  return agent !== undefined && hasReports(agent)
}
