import { excuse, type Assurance } from '../../records/outcome.ts'
import { lineOf, type SpecLine } from '../../spec/spec.ts'
import type { BlockedCode, FailCode, Reason, RuleName, ScenarioEvidence, StepEvidence } from '../verdict.ts'

export interface Finding {
  readonly outcome: 'fail' | 'blocked'
  readonly reason: Reason & { readonly code: RuleName }
}

export interface JudgedStep {
  readonly step: StepEvidence
  readonly evidence: ScenarioEvidence
  /** Whether this is the agent's last step, which gets the findings about the whole scenario. */
  readonly isLastAsked: boolean
  readonly without: readonly RuleName[]
}

export type Judged = Pick<JudgedStep, 'step' | 'evidence'>

/** A rule of the verdict. It is pure and never throws. */
export type Rule = (judged: JudgedStep) => readonly Finding[]

/** Returns the findings of the first rule that finds something. Later rules assume that earlier ones found nothing. */
export function firstOf(rules: readonly Rule[]): Rule {
  return (judged) => {
    for (const rule of rules) {
      const findings = withoutSwitchedOff(rule(judged), judged)
      if (findings.length > 0) return findings
    }
    return []
  }
}

export function allOf(rules: readonly Rule[]): Rule {
  return (judged) => rules.flatMap((rule) => withoutSwitchedOff(rule(judged), judged))
}

export function withoutSwitchedOff(
  findings: readonly Finding[],
  { without }: Pick<JudgedStep, 'without'>,
): readonly Finding[] {
  return findings.filter(({ reason }) => !without.includes(reason.code))
}

export function fail(code: FailCode, message: string, at: SpecLine): Finding {
  return { outcome: 'fail', reason: { code, message, ...lineOf(at) } }
}

export function blocked(code: BlockedCode, message: string, at: SpecLine): Finding {
  return { outcome: 'blocked', reason: { code, message: message + excuse, ...lineOf(at) } }
}

export function minAssuranceOf({ policy, agent }: ScenarioEvidence): Assurance {
  const isKnown = agent?.journal !== undefined && agent.isInTerminal !== true
  return policy?.minAssurance ?? (isKnown ? 'evidenced' : 'claimed')
}
