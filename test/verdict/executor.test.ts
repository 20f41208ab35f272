import { describe, expect, test } from 'vitest'
import { evaluateScenario } from '../../src/verdict/evaluate-scenario.ts'
import type { AgentEvidence, Citation, ScenarioEvidence, StepEvidence } from '../../src/verdict/verdict.ts'
import { agent, block, check, codeStep, observedCall, quote, report, scenario, short, step } from './evidence.ts'

const executor = { sandbox: 'bubblewrap' } as const // a literal name
const reported = { reports: [report('1-s')], journal: [observedCall('1-s')] }
const judged = (evidence: ScenarioEvidence): readonly string[] => evaluateScenario(evidence).map(short)

/** The verdict on one step that quotes what mdtest executed. */
function verdictOn(citations: readonly Citation[], more: Partial<AgentEvidence> = {}, one: StepEvidence = step(1)) {
  const checks = one.checks.map(({ n }) => ({ n, status: 'pass' as const }))
  const reports = [report('1-s', 'pass', { checks })]
  return judged(scenario([one], { agent: agent(undefined, { ...reported, reports, executor, citations, ...more }) }))
}

describe('a pass for which mdtest alone executed', () => {
  const checked = step(1, { checks: [check(1), check(2)] })
  const file: Citation = { stepId: '1-s', kind: 'file', what: 'list.txt', found: true }
  const weak = quote('1-s', { problem: 'It is of the spec.' })

  test.each<[string, readonly Citation[], string, StepEvidence?]>([
    ['a quote', [quote('1-s')], 'pass witnessed'],
    ['a quote of an earlier step', [quote('1-s', { isEarlier: true })], 'pass witnessed'],
    ['a quote for each check', [quote('1-s', { check: 1 }), quote('1-s', { check: 2 })], 'pass witnessed', checked],
    ['a quote for one check of two', [quote('1-s', { check: 1 })], 'pass observed', checked],
    ['a file for one check', [quote('1-s', { check: 1 }), { ...file, check: 2 }], 'pass evidenced', checked],
    ['a file, of which nobody knows who made it', [file], 'pass evidenced'],
    ['a file beside a quote', [file, quote('1-s')], 'pass witnessed'],
    ['a citation that backs nothing beside a good one', [quote('1-s'), weak], 'pass evidenced'],
    ['nothing', [], 'pass observed'],
    ['a quote, and a `verify` block', [quote('1-s')], 'pass verified', step(1, { blocks: [block('verify')] })],
  ])('cites %s', (_, citations, expected, one = step(1)) => {
    expect(verdictOn(citations, {}, one)).toEqual([expected])
    const { executor: _hands, ...own } = agent(undefined, { ...reported, executor, citations })
    expect(judged(scenario([step(1)], { agent: own }))).not.toContain('pass witnessed')
  })

  test('is `reproduced` where it was repeated, and `observed` where it could not be', () => {
    const evidence = scenario([step(1)], {
      agent: agent(undefined, { ...reported, executor, citations: [quote('1-s')] }),
    })
    const steps = (found: 'reproduced' | { line: number; message: string }): readonly string[] =>
      judged({ ...evidence, reproduction: { isRequired: false, steps: { '1-s': found } } })
    expect(steps('reproduced')).toEqual(['pass reproduced'])
    expect(steps({ line: 1, message: 'm' })).toEqual(['pass observed'])
  })

  test('of a program that only trust keeps from the product is `evidenced`, and says how it would be more', () => {
    const trusted = { isTrusted: true, executor: { sandbox: 'none' } } as const // literals
    expect(verdictOn([quote('1-s')], trusted)).toEqual(['pass evidenced'])
    const policy = { evidence: 'auto', minAssurance: 'witnessed' } as const // literal names
    const one = agent(undefined, { ...reported, ...trusted, citations: [quote('1-s')] })
    const [verdict] = evaluateScenario(scenario([step(1)], { agent: one, policy }))
    expect(verdict?.reasons[0]?.message).toContain('is needed. Leave `sandbox: off` out')
  })

  test.each([
    [undefined, 'Set `executor: mdtest`. Have the agent quote'],
    [executor, 'is needed. Have the agent quote, for each check, what mdtest executed'],
  ])('that is too low says what to do: %j', (used, message) => {
    const one = agent(undefined, { ...reported, ...(used && { executor: used }) })
    const policy = { evidence: 'auto', minAssurance: 'witnessed' } as const // literal names
    const [verdict] = evaluateScenario(scenario([step(1)], { agent: one, policy }))
    expect(verdict?.reasons).toMatchObject([{ code: 'ASSURANCE_TOO_LOW', message: expect.stringContaining(message) }])
  })

  test.each<[string, Partial<AgentEvidence>, string]>([
    ['NO_ACTIVITY', { journal: [] }, 'mdtest executed nothing for it that could have tried anything'],
    [
      'EVIDENCE_UNKNOWN',
      { citations: [quote('1-s', { found: false })] },
      'was not found in what mdtest executed for it.',
    ],
  ])('and that rests on something else fails in these words: %s', (code, more, message) => {
    const [verdict] = evaluateScenario(
      scenario([step(1)], { agent: agent(undefined, { ...reported, executor, ...more }) }),
    )
    expect(verdict?.reasons).toMatchObject([{ code, message: expect.stringContaining(message) }])
  })
})

test('each verdict on a step of the agent that was tried says so, and no other', () => {
  const steps = [codeStep(1, block('run')), step(2), step(3), step(4), step(5, { actor: 'todo' })]
  const reports = [report('2-s'), report('3-s', 'fail'), report('4-s')]
  const one = agent(undefined, { reports, journal: [2, 3, 4].map((n) => observedCall(`${n}-s`)), executor })
  const verdicts = evaluateScenario(scenario(steps, { agent: one }))
  expect(verdicts.map(({ outcome, executor: used }) => [outcome, used])).toEqual([
    ['pass', undefined],
    ['pass', executor],
    ['fail', executor],
    ['skipped', undefined],
    ['skipped', undefined],
  ])
  const loud = { sandbox: 'none', why: 'it is \u001B[31moff' } as const // a literal name
  const torn = scenario([step(1)], { agent: { ...one, executor: loud }, teardown: [block('run', 'fail')] })
  expect(evaluateScenario(torn)[0]?.executor).toEqual({ sandbox: 'none', why: String.raw`it is \x1b[31moff` })
})

describe('an agent that acted past mdtest', () => {
  const message = 'it called `Bash`.'
  const errors = [{ cause: 'executor', message }] as const // a literal name
  const escaped: Partial<AgentEvidence> = { ...reported, reports: [report('1-s'), report('2-s')], executor, errors }
  const two = [step(1), step(2)]

  test.each<[string, Partial<AgentEvidence>]>([
    ['and reported that all passed', {}],
    ['and is still at work', { ending: { kind: 'working' } }],
    ['and ran out of time', { ending: { kind: 'hard-timeout', limitMs: 1 } }],
    ['and met another error before', { reports: [], errors: [{ cause: 'auth', message: 'm' }, ...errors] }],
    ['and tells of a failure', { reports: [report('1-s', 'fail'), report('2-s', 'fail')] }],
  ])('proves nothing: %s', (_, more) => {
    const verdicts = evaluateScenario(scenario(two, { agent: agent(undefined, { ...escaped, ...more }) }))
    expect(verdicts.map(short)).toEqual(['blocked EXECUTOR_UNAVAILABLE@10', 'blocked EXECUTOR_UNAVAILABLE@20'])
    expect(verdicts[0]?.reasons[0]?.message).toContain(`(\`executor: mdtest\`): ${message}`)
  })

  test('and was to show a failure shows none', () => {
    const told = step(1, { isExpectedToFail: true })
    const failing = agent(undefined, { ...escaped, reports: [report('1-s', 'fail')], citations: [quote('1-s')] })
    expect(judged(scenario([told], { agent: failing }))).toEqual(['blocked EXECUTOR_UNAVAILABLE@10'])
  })

  test('is of no concern to steps of code, nor to what their blocks show', () => {
    const steps = [codeStep(1, block('run')), step(2, { blocks: [block('verify', 'fail')] })]
    const verdicts = judged(scenario(steps, { agent: agent(undefined, escaped) }))
    expect(verdicts[0]).toBe('pass verified')
    expect(verdicts[1]).toMatch(/^fail VERIFY_FAILED@77 EXECUTOR_UNAVAILABLE@20$/)
  })

  test('or that cannot be kept from it is not started', () => {
    const ending = { kind: 'not-ready', code: 'EXECUTOR_UNAVAILABLE', message: 'There is no sandbox.' } as const // one kind
    expect(judged(scenario([step(1)], { agent: agent(undefined, { ending }) }))).toEqual([
      'blocked EXECUTOR_UNAVAILABLE@10',
    ])
  })
})
