import { describe, expect, test } from 'vitest'
import { evaluateScenario } from '../../src/verdict/evaluate-scenario.ts'
import type { AgentEvidence, Reproduction, ScenarioEvidence, StepEvidence } from '../../src/verdict/verdict.ts'
import { agent, block, codeStep, observedCall, quote, scenario, short, step } from './evidence.ts'

describe('a pass that has to be repeated', () => {
  const first = { ...step(1), id: '1-a', title: 'A' }
  const second = { ...step(2), id: '2-b', title: 'B' }
  const seen: Partial<AgentEvidence> = { journal: [observedCall(null)], citations: [quote('1-a'), quote('2-b')] }
  const judged = (
    reproduction: Reproduction,
    steps: readonly StepEvidence[] = [first, second],
    more: Partial<ScenarioEvidence> = {},
  ): string[] =>
    evaluateScenario(scenario(steps, { agent: agent({ status: 'pass' }, seen), reproduction, ...more })).map(short)
  const problem = { line: 12, message: 'It is not the same.' }
  const strict = { evidence: 'auto', minAssurance: 'reproduced' } as const // literal names

  test.each<[string, Reproduction, readonly string[]]>([
    ['is as it was until then', { isRequired: true }, ['pass evidenced', 'pass evidenced']],
    [
      'is `reproduced`',
      { isRequired: true, steps: { '1-a': 'reproduced', '2-b': 'reproduced' } },
      ['pass reproduced', 'pass reproduced'],
    ],
    [
      'fails at the step that does not hold',
      { isRequired: true, steps: { '1-a': 'reproduced', '2-b': problem } },
      ['pass reproduced', 'fail NOT_REPRODUCED@12'],
    ],
    [
      'stops the steps behind it',
      { isRequired: true, steps: { '1-a': problem } },
      ['fail NOT_REPRODUCED@12', 'skipped PREDECESSOR_FAILED@20'],
    ],
    [
      'fails where nobody said anything of it',
      { isRequired: true, steps: { '1-a': 'reproduced' } },
      ['pass reproduced', 'fail NOT_REPRODUCED@20'],
    ],
    [
      'is lowered, where that is enough',
      { isRequired: false, steps: { '1-a': problem } },
      ['pass observed', 'pass observed'],
    ],
  ])('%s', (_, reproduction, expected) => {
    expect(judged(reproduction)).toEqual(expected)
  })

  test('is not too low before it was repeated', () => {
    expect(judged({ isRequired: true }, [first, second], { policy: strict })).toEqual([
      'pass evidenced',
      'pass evidenced',
    ])
    const warned = judged({ isRequired: false, steps: {} }, [first], { policy: strict })
    expect(warned).toEqual(['fail ASSURANCE_TOO_LOW@10'])
  })

  test('stays verified, and fails all the same where it cannot be repeated', () => {
    const verified = { ...first, blocks: [block('verify')] }
    expect(judged({ isRequired: true, steps: { '1-a': 'reproduced' } }, [verified])).toEqual(['pass verified'])
    expect(judged({ isRequired: false, steps: { '1-a': problem } }, [verified])).toEqual(['pass verified'])
    expect(judged({ isRequired: true, steps: { '1-a': problem } }, [verified])).toEqual(['fail NOT_REPRODUCED@12'])
  })

  test('says why it is lowered', () => {
    const evidence = scenario([first], {
      agent: agent({ status: 'pass' }, seen),
      reproduction: { isRequired: false, steps: { '1-a': problem } },
    })
    expect(evaluateScenario(evidence)[0]?.unreproduced).toEqual({ code: 'NOT_REPRODUCED', ...problem })
  })

  test('concerns no code, but where it does not do the same', () => {
    expect(judged({ isRequired: true, steps: {} }, [codeStep(1, block('run'))])).toEqual(['pass verified'])
    const steps = { [codeStep(1).id]: problem }
    expect(judged({ isRequired: true, steps }, [codeStep(1, block('run'))])).toEqual(['fail NOT_REPRODUCED@12'])
  })

  test('is a failure that is expected, too', () => {
    const told = { ...first, isExpectedToFail: true }
    const failing = { agent: agent({ status: 'fail', steps: [{ id: '1-a', status: 'fail' }] }, seen) }
    expect(judged({ isRequired: true, steps: {} }, [told], failing)).toEqual(['fail NOT_REPRODUCED@10'])
    const shown = { ...told, blocks: [block('verify', 'fail')] }
    expect(judged({ isRequired: true, steps: {} }, [shown])).toEqual(['pass verified'])
  })
})
