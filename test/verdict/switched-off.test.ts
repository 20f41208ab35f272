import { expect, test } from 'vitest'
import { evaluateScenario } from '../../src/verdict/evaluate-scenario.ts'
import type { RuleName, ScenarioEvidence } from '../../src/verdict/verdict.ts'
import { ruleCases, ruleNames } from './rule-cases.ts'

const codesOf = (evidence: ScenarioEvidence, without: readonly RuleName[]): readonly string[] =>
  evaluateScenario(evidence, without).flatMap(({ reasons }) => reasons.map(({ code }) => code))
const outcomeOf = (evidence: ScenarioEvidence, without: readonly RuleName[]): string | undefined =>
  evaluateScenario(evidence, without)[0]?.outcome

test.for(ruleNames)('each rule keeps something from passing that does without it: %s', (name) => {
  const [evidence, ...alsoOff] = ruleCases[name]
  expect(outcomeOf(evidence, [])).not.toBe('pass')
  expect(codesOf(evidence, [])).toContain(name)
  expect(codesOf(evidence, [name])).not.toContain(name)
  const others = ruleNames.filter((other) => other !== name && !alsoOff.includes(other))
  expect(outcomeOf(evidence, others)).not.toBe('pass')
  expect(outcomeOf(evidence, [name, ...alsoOff])).toBe('pass')
})
