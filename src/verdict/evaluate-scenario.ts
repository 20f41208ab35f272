import { lineOf } from '../spec/spec.ts'
import { agentKilled, agentUnfinished, executorEscaped, workMissing } from './rules/agent-endings.ts'
import { assuranceOf, assuranceTooLow, isUnproved } from './assurance-of.ts'
import {
  blocksFailed,
  blocksMissing,
  notRecorded,
  hookFindings,
  notReproduced,
  reproductionProblem,
  findSkip,
  withoutVainSkips,
} from './rules/block-rules.ts'
import { sourceModified, specModified, excuseDenied, support } from './rules/evidence-rules.ts'
import {
  logUnusable,
  statusContradicted,
  isOfAgent,
  observedOf,
  stepReported,
  stepsUnknown,
} from './rules/log-and-report-rules.ts'
import { invertFindings } from './expected-failure.ts'
import { allOf, fail, firstOf, withoutSwitchedOff, type Finding, type Judged, type JudgedStep } from './rules/rule.ts'
import type { Reason, RuleName, ScenarioEvidence, StepEvidence, Verdict } from './verdict.ts'
import { plainText } from '../system/text/plain-text.ts'
import { withoutUndefined } from '../system/without-undefined.ts'

const accountUntrusted = firstOf([executorEscaped, agentUnfinished, agentKilled, workMissing, logUnusable])

const account = allOf([stepReported, stepsUnknown, statusContradicted, specModified, sourceModified])

const agentStep = firstOf([
  allOf([blocksFailed, firstOf([accountUntrusted, account])]),
  // Must come before `blocksMissing`, because mdtest runs no blocks after an unsupported claim.
  support,
  blocksMissing,
  notReproduced,
  assuranceTooLow,
])

const codeStep = firstOf([notRecorded, blocksFailed, blocksMissing, notReproduced, assuranceTooLow])

/**
 * Returns one verdict per step, in order. A step needs evidence to pass. See `docs/reasons.md`.
 * @param without rules to leave out before the `verify` blocks have run; a final verdict needs all rules
 */
export function evaluateScenario(given: ScenarioEvidence, without: readonly RuleName[] = []): readonly Verdict[] {
  const evidence = withoutVainSkips(given)
  const { steps } = evidence
  const lastAsked = steps.findLastIndex(isOfAgent)
  const setup = withoutSwitchedOff(hookFindings(evidence.setup, 'SETUP_FAILED'), { without })
  const setupIndex = setup.length === 0 ? -1 : Math.max(0, steps.findIndex(isToBeSettled))
  const verdicts: Verdict[] = []
  let stop = findSkip(evidence.setup)
  for (const [index, step] of steps.entries()) {
    const judged = { step, evidence, isLastAsked: index === lastAsked, without }
    const isSetupHere = index === setupIndex
    const verdict = isSetupHere ? verdictOf(setup, judged) : judge(judged, stop)
    verdicts.push(verdict)
    stop ??= isSetupHere ? stoppedBy('the set-up failed') : stopOf(judged, verdict)
  }
  const findings = withoutSwitchedOff(hookFindings(evidence.teardown, 'TEARDOWN_FAILED'), { without })
  return withTeardown(verdicts, { evidence, findings }).map((verdict, index) =>
    ofChange(madePlain(verdict), steps[index]),
  )
}

/** Adds the planned change to a verdict. An expected failure has no assurance, because it is no evidence. */
function ofChange(verdict: Verdict, step: StepEvidence | undefined): Verdict {
  const change = step?.change
  if (change === undefined) return verdict
  const { assurance: _assurance, unreproduced: _unreproduced, isUnproved: _isUnproved, ...bare } = verdict
  return { ...(verdict.expected === undefined ? verdict : bare), change }
}

/** Makes words of agents and programs plain text, so that terminals and CI runners do not interpret them. */
function madePlain(verdict: Verdict): Verdict {
  const { reasons, expected, observed, unreproduced, executor } = verdict
  const plainReasons = (all: Verdict['reasons']): Verdict['reasons'] =>
    all.map((reason) => ({ ...reason, message: plainText(reason.message) }))
  return {
    ...verdict,
    reasons: plainReasons(reasons),
    ...(expected && { expected: plainReasons(expected) }),
    ...(unreproduced && { unreproduced: { ...unreproduced, message: plainText(unreproduced.message) } }),
    ...(executor?.why !== undefined && { executor: { ...executor, why: plainText(executor.why) } }),
    ...(observed !== undefined && { observed: plainText(observed) }),
  }
}

function judge(judged: JudgedStep, stop: Reason | undefined): Verdict {
  const { step } = judged
  if (step.actor === 'todo') return { outcome: 'skipped', reasons: [] }
  if (stop !== undefined) {
    // An agent that bypassed mdtest may have caused the earlier failure. So report the bypass, not the skip.
    const escaped = step.actor === 'agent' ? withoutSwitchedOff(executorEscaped(judged), judged) : []
    if (escaped.length > 0) return verdictOf(escaped, judged)
    return { outcome: 'skipped', reasons: [stop.line === undefined ? { ...stop, ...lineOf(step) } : stop] }
  }
  const skip = findSkip(step.blocks)
  if (skip !== undefined && blocksFailed(judged).length === 0) return { outcome: 'skipped', reasons: [skip] }
  const findings = excuseDenied((step.actor === 'code' ? codeStep : agentStep)(judged), judged)
  return step.isExpectedToFail ? invertedVerdict(findings, judged) : verdictOf(findings, judged)
}

function invertedVerdict(found: readonly Finding[], judged: JudgedStep): Verdict {
  const inverted = invertFindings(found, judged)
  const { expected } = inverted
  const isMissing = judged.step.change !== undefined && expected.length > 0
  // Without the planned feature, the step did not pass, so there is no pass to repeat.
  const findings = isMissing ? inverted.findings : firstOf([() => inverted.findings, notReproduced])(judged)
  return { ...verdictOf(findings, judged), ...(expected.length > 0 && findings.length === 0 && { expected }) }
}

function verdictOf(findings: readonly Finding[], judged: JudgedStep): Verdict {
  const seen = accountUntrusted(judged).length === 0 ? observedOf(judged) : undefined
  const more = { ...executorFor(judged), ...(seen !== undefined && { observed: seen }) }
  if (findings.length > 0) {
    const outcome = findings.some((finding) => finding.outcome === 'fail') ? 'fail' : 'blocked'
    const decisiveFirst = findings.toSorted((a, b) => Number(b.outcome === outcome) - Number(a.outcome === outcome))
    return { outcome, reasons: decisiveFirst.map(({ reason }) => reason), ...more }
  }
  const problem = reproductionProblem(judged)
  return {
    outcome: 'pass',
    assurance: assuranceOf(judged),
    reasons: [],
    ...(isUnproved(judged.step) && { isUnproved: true }),
    ...(problem && { unreproduced: fail('NOT_REPRODUCED', problem.message, problem).reason }),
    ...more,
  }
}

function executorFor({ step, evidence: { agent } }: JudgedStep): Pick<Verdict, 'executor' | 'whyItself'> {
  if (agent === undefined || !isOfAgent(step)) return {}
  return withoutUndefined({ executor: agent.executor, whyItself: agent.whyItself })
}

function stoppedBy(what: string): Reason {
  return { code: 'PREDECESSOR_FAILED', message: `Not judged, because ${what}.` }
}

export function stopOf({ step, evidence }: Judged, verdict: Verdict): Reason | undefined {
  const { outcome, reasons } = verdict
  if (evidence.continuesAfterFailure && isContained(step, verdict)) return undefined
  if (outcome === 'fail') return stoppedBy(`step "${step.title}" failed`)
  if (outcome === 'blocked') return stoppedBy(`step "${step.title}" was blocked`)
  return reasons.find(({ code }) => code === 'SKIPPED_BY_BLOCK')
}

function isToBeSettled({ actor }: StepEvidence): boolean {
  return actor !== 'todo'
}

/** A failed teardown fails the last step, because no later step can show the failure. */
function withTeardown(
  verdicts: readonly Verdict[],
  { evidence, findings }: { readonly evidence: ScenarioEvidence; readonly findings: readonly Finding[] },
): readonly Verdict[] {
  const more = findings.map((finding) => finding.reason)
  // If all steps are `todo`, the index is -1. For `at`, this is the last step.
  const index = evidence.steps.findLastIndex(isToBeSettled)
  const last = verdicts.at(index)
  if (more.length === 0 || last === undefined) return verdicts
  const { outcome, reasons, executor, observed } = last
  return verdicts.with(index, {
    outcome: 'fail',
    reasons: outcome === 'fail' ? [...reasons, ...more] : [...more, ...reasons],
    ...withoutUndefined({ executor, observed }),
  })
}

/** Failures of the product itself. The agent can still try later steps. */
const ofTheProduct: readonly string[] = ['VERIFY_FAILED', 'STEP_FAILED', 'CHECK_FAILED']

/** Whether later steps can be tried after a failed step. A block timeout ends the shell, so no later step can run. */
function isContained({ actor, blocks }: StepEvidence, { outcome, reasons }: Verdict): boolean {
  if (outcome !== 'fail' || blocks.some(({ status }) => status === 'timeout')) return false
  return actor !== 'agent' || reasons.every(({ code }) => ofTheProduct.includes(code))
}

/** Whether later steps may run. A step that the spec leaves out does not stop them. */
export function isPassable({ outcome, reasons }: Verdict): boolean {
  return outcome === 'pass' || (outcome === 'skipped' && reasons.length === 0)
}
