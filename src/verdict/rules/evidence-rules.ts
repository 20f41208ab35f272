import { accountOf, hasActivity, citationsOf } from '../agent-results.ts'
import { allOf, fail, type JudgedStep, type Rule, blocked, type Finding } from './rule.ts'
import type { AgentEvidence, ReasonCode } from '../verdict.ts'
import { cutLine } from '../../system/text/plain-text.ts'

const noActivity: Rule = (judged) => {
  if (hasActivity(judged) || judged.evidence.agent?.journal === undefined) return []
  return [fail('NO_ACTIVITY', describeIdle(judged), judged.step)]
}

/** Citations that were not found. If nobody could see the agent's calls, missing quotes do not count. */
const evidenceUnknown: Rule = ({ step, evidence }) => {
  const hasJournal = evidence.agent?.journal !== undefined
  const missing = citationsOf(evidence, step).filter(({ found, kind }) => !found && (kind === 'file' || hasJournal))
  const more = missing.length - maxMissing
  return missing.slice(0, maxMissing).map(({ kind, what, problem, check }, index) => {
    const where = kind === 'quote' && evidence.agent?.executor ? ' in what mdtest executed for it' : ''
    const cited = `The agent cites the ${kind} \`${cutLine(what, 200)}\` as evidence, and it was not found${where}`
    const others =
      more > 0 && index === maxMissing - 1 ? ` The same is true of ${more} more citations of the step.` : ''
    const at = step.checks.find(({ n }) => n === check) ?? step
    return fail('EVIDENCE_UNKNOWN', `${cited}${problem === undefined ? '.' : `: ${problem}`}${others}`, at)
  })
}

export const support: Rule = allOf([noActivity, evidenceUnknown])

function describeIdle({ step, evidence }: JudgedStep): string {
  const ended = step.isExpectedToFail ? 'failed' : 'passed'
  if (evidence.agent?.executor)
    return `The agent reports that the step ${ended}, and since its report before mdtest executed nothing for it that could have tried anything; nor does it quote what an earlier command printed. What the agent did elsewhere does not count.`
  return accountOf(evidence)?.source === 'reports'
    ? `The agent reports that the step ${ended}, and since its report before no tool call of it was seen that could have tried anything; nor does it quote what an earlier one showed.`
    : `The agent says that the step ${ended}, and no tool call of it was seen that could have tried anything.`
}

const maxMissing = 20

export const specModified: Rule = ({ step, evidence: { agent } }) => {
  if (agent === undefined || agent.modifiedSpecFiles.length === 0) return []
  const message = `The spec changed while the agent ran: ${list(agent.modifiedSpecFiles)}. Undo the change and run it again.`
  return [fail('SPEC_MODIFIED', message, step)]
}

export const sourceModified: Rule = ({ step, evidence: { agent } }) => {
  const modified = (agent?.modifiedSources ?? []).filter(({ stepId = step.id }) => stepId === step.id)
  const files = [...new Set(modified.map(({ file }) => file))]
  if (files.length === 0) return []
  const message = `The agent changed what it was to test: ${list(files)}. Undo the change; where the test is meant to write there, name it in \`writes:\` in the spec's front matter. If something else wrote there meanwhile, run the spec alone.`
  return [fail('SOURCE_MODIFIED', message, step)]
}

const maxNamed = 10

function list(files: readonly string[]): string {
  const named = files.slice(0, maxNamed).map((file) => `\`${file}\``)
  const more = files.length > maxNamed ? ` and ${files.length - maxNamed} more` : ''
  return `${named.join(', ')}${more}`
}

/** Reasons that come from the agent's own report or log. A refused tool call may be the real cause. */
const excusable: readonly ReasonCode[] = [
  'LOG_MISSING',
  'STEP_FAILED',
  'STEP_UNREPORTED',
  'STATUS_CONTRADICTS_STEPS',
  'CHECK_FAILED',
  'CHECK_UNREPORTED',
  'AGENT_BLOCKED',
]

/** If calls of the agent were refused, a bad report is no failure: the step is `blocked`, with the refusals first. */
export function excuseDenied(
  findings: readonly Finding[],
  { step, evidence, without }: JudgedStep,
): readonly Finding[] {
  const { agent } = evidence
  if (without.includes('AGENT_DENIED') || !agent?.denials.length || findings.length === 0) return findings
  if (!findings.every(({ reason }) => excusable.includes(reason.code))) return findings
  const excused = findings.map(({ reason }): Finding => ({ outcome: 'blocked', reason }))
  return [blocked('AGENT_DENIED', describeDenials(agent), step), ...excused]
}

function describeDenials({ name, denials }: AgentEvidence): string {
  const what = [...new Set(denials.map((denial) => `\`${denial.what}\``))].join(', ')
  const rules = [...new Set(denials.flatMap((denial) => denial.rule ?? []))]
  const allow = rules.length === 0 ? 'a fitting `allow` rule' : `\`allow: ${JSON.stringify(rules)}\``
  return `The agent \`${name}\` was not allowed to use ${what}. Add ${allow} to the spec's front matter or to the options.`
}
