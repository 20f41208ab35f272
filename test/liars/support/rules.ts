import { assurances, type Assurance } from '../../../src/records/outcome.ts'
import { evaluateScenario } from '../../../src/verdict/evaluate-scenario.ts'
import { ruleNames } from '../../verdict/rule-cases.ts'
import type { EvidencePolicy, RuleName, ScenarioEvidence } from '../../../src/verdict/verdict.ts'
import { summaryOf } from './run-scenes.ts'
import type { Scene } from './scene.ts'

/** What every agent left behind. */
type Recorded = readonly (readonly [scene: Scene, evidence: ScenarioEvidence])[]

/** The verdict under a policy, in short. */
export function judge(evidence: ScenarioEvidence, policy: Partial<EvidencePolicy> = {}): string {
  const isSeen = evidence.agent?.journal !== undefined
  const whole = { minAssurance: isSeen ? 'evidenced' : 'claimed', ...evidence.policy, ...policy } as const // as by default
  return summaryOf(shortVerdicts({ ...evidence, policy: whole }))
}

/**
 * These rules say why there is nothing to go by, or why a step failed. What they explain is a finding of its own, so an
 * agent passes only without both.
 */
const explained: Readonly<Partial<Record<RuleName, RuleName>>> = {
  SETUP_FAILED: 'AGENT_CRASHED',
  AGENT_NOT_FOUND: 'LOG_MISSING',
  AGENT_CRASHED: 'LOG_MISSING',
  AGENT_AUTH: 'LOG_MISSING',
  AGENT_BUDGET: 'LOG_MISSING',
  MCP_UNAVAILABLE: 'LOG_MISSING',
  AGENT_DENIED: 'STEP_FAILED',
}

/** These are about the agent `browser` alone, which needs Chromium: `test/browser` shows them. */
const ofBrowsers: readonly RuleName[] = ['BROWSER_UNAVAILABLE', 'MODEL_UNAVAILABLE', 'LOGIN_FAILED']

/** These are about recordings, of which these agents have none, and about `reproduce`: `test/e2e/recorder` shows it. */
const ofRecordings: readonly RuleName[] = ['REPLAY_MISSING', 'REPLAY_STALE', 'REPLAY_DIFFERS', 'NOT_REPRODUCED']

/** These ran with shells of their own. */
const ofExecutor: readonly RuleName[] = ['EXECUTOR_UNAVAILABLE']

/** For each rule the agents that pass without it. */
export interface RuleRow {
  readonly rule: RuleName
  /** The finding that the rule explains, switched off with it. */
  readonly with: RuleName | undefined
  readonly agents: readonly string[]
}

/** Judges all the evidence without one rule at a time. */
export function withoutEachRule(recorded: Recorded): readonly RuleRow[] {
  const isPassed = (evidence: ScenarioEvidence, without: readonly RuleName[]): boolean =>
    summaryOf(shortVerdicts(evidence, without)).startsWith('pass')
  const rules = ruleNames.filter((rule) => ![...ofBrowsers, ...ofRecordings, ...ofExecutor].includes(rule))
  return rules.map((rule) => {
    const other = explained[rule]
    const off = other === undefined ? [rule] : [rule, other]
    // What the default asks for keeps many from passing by itself.
    const isKept = (evidence: ScenarioEvidence): boolean =>
      [evidence, { ...evidence, policy: { ...evidence.policy, minAssurance: 'claimed' as const } }].some(
        (one) => !isPassed(one, []) && isPassed(one, off) && codesOf(one).includes(rule),
      )
    return { rule, with: other, agents: recorded.filter(([, evidence]) => isKept(evidence)).map(([{ name }]) => name) }
  })
}

/**
 * The lowest `minAssurance` under which it does not pass. `witnessed` would say of it only that it had hands of its own. What
 * a model had executed would be reproduced.
 */
export function caughtAt({ script }: Pick<Scene, 'script'>, evidence: ScenarioEvidence): Assurance | 'never' {
  const levels = assurances.filter((level) => level !== 'witnessed' && (level !== 'reproduced' || script === undefined))
  return levels.find((minAssurance) => !judge(evidence, { minAssurance }).startsWith('pass')) ?? 'never'
}

function codesOf(evidence: ScenarioEvidence): readonly string[] {
  return evaluateScenario(evidence).flatMap(({ reasons }) => reasons.map(({ code }) => code))
}

function shortVerdicts(evidence: ScenarioEvidence, without: readonly RuleName[] = []): readonly string[] {
  return evaluateScenario(evidence, without).map(({ outcome, assurance, reasons }) =>
    [outcome, assurance ?? reasons.map(({ code }) => code)].flat().join(' '),
  )
}
