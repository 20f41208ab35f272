import { blocked } from './rule.ts'
import type { Finding, JudgedStep } from './rule.ts'
import type { AgentEvidence, ReasonCode } from '../verdict.ts'

/** Reasons that rest on what the agent wrote, or did not write: a refused tool call can be behind them. */
const excusable: ReadonlySet<ReasonCode> = new Set<ReasonCode>([
  'LOG_MISSING',
  'STEP_FAILED',
  'STEP_UNREPORTED',
  'STATUS_CONTRADICTS_STEPS',
  'CHECK_FAILED',
  'CHECK_UNREPORTED',
  'AGENT_BLOCKED',
])

/**
 * Puts the refused tool calls in front of a step's findings and turns them into "could not be tried". Findings
 * of blocks, of a bad log and of a changed spec stay what they are.
 */
export function excuseDenied(
  findings: readonly Finding[],
  { step, evidence, without }: JudgedStep,
): readonly Finding[] {
  const { agent } = evidence
  if (without.has('AGENT_DENIED')) return findings
  if (agent === undefined || agent.denials.length === 0 || findings.length === 0) return findings
  if (!findings.every(({ reason }) => excusable.has(reason.code))) return findings
  const excused = findings.map(({ reason }): Finding => ({ outcome: 'blocked', reason }))
  return [blocked('AGENT_DENIED', describeDenials(agent), step), ...excused]
}

function describeDenials({ name, denials }: AgentEvidence): string {
  const what = [...new Set(denials.map((denial) => `\`${denial.what}\``))].join(', ')
  const rules = [...new Set(denials.flatMap((denial) => denial.rule ?? []))]
  const allow = rules.length === 0 ? 'a fitting `allow` rule' : `\`allow: ${JSON.stringify(rules)}\``
  return `The agent \`${name}\` was not allowed to use ${what}. Add ${allow} to the spec's front matter or to the options.`
}
