import { describe, expect, test } from 'vitest'
import { evaluateScenario } from '../../src/verdict/evaluate-scenario.ts'
import type { AgentEvidence, StepEvidence } from '../../src/verdict/verdict.ts'
import { agent, block, check, codeStep, entry, noLog, scenario, short, observedCall, step } from './evidence.ts'

const fails = (ordinal: number, more: Partial<StepEvidence> = {}): StepEvidence =>
  step(ordinal, { isExpectedToFail: true, ...more })
const codeFails = (...blocks: StepEvidence['blocks']): StepEvidence => ({
  ...codeStep(1, ...blocks),
  isExpectedToFail: true,
})
const said = (status: 'pass' | 'fail' | 'blocked', more: Partial<AgentEvidence> = {}): AgentEvidence =>
  agent({ status: status === 'pass' ? 'pass' : 'fail', steps: [entry('1-s', status)] }, more)
const verdictsOn = (steps: readonly StepEvidence[], one?: AgentEvidence): readonly string[] =>
  evaluateScenario(scenario(steps, one && { agent: one })).map(short)

describe('a step that is expected to fail', () => {
  test('passes where a block shows the failure, and says what it was', () => {
    const [verdict] = evaluateScenario(scenario([codeFails(block('run', 'fail'))]))
    expect(verdict).toMatchObject({ outcome: 'pass', assurance: 'verified', reasons: [] })
    expect(verdict?.expected).toMatchObject([{ code: 'RUN_FAILED', line: 77 }])
    expect(verdictsOn([fails(1, { blocks: [block('verify', 'fail')] })], said('pass'))).toEqual(['pass verified'])
  })

  test('passes where the agent tells of a failure that it was seen to look for', () => {
    expect(verdictsOn([fails(1)], said('fail', { journal: [observedCall('1-s')] }))).toEqual(['pass observed'])
    expect(verdictsOn([fails(1)], said('fail'))).toEqual(['pass claimed'])
  })

  test('fails where it passes', () => {
    expect(verdictsOn([codeFails(block('run'))])).toEqual(['fail PASSED_UNEXPECTEDLY@10'])
    expect(verdictsOn([fails(1)], said('pass'))).toEqual(['fail PASSED_UNEXPECTEDLY@10'])
  })

  test('is not passed by a failure that rests on nothing', () => {
    expect(verdictsOn([fails(1)], said('fail', { journal: [] }))).toEqual(['fail NO_ACTIVITY@10'])
    const policy = { evidence: 'auto', minAssurance: 'observed' } as const // literals
    const evidence = { ...scenario([fails(1)], { agent: said('fail') }), policy }
    expect(evaluateScenario(evidence).map(short)).toEqual(['fail ASSURANCE_TOO_LOW@10'])
  })

  test('stays blocked where it could not be tried', () => {
    expect(verdictsOn([fails(1)], said('blocked'))).toEqual(['blocked AGENT_BLOCKED@10'])
    const timeout = said('fail', { ending: { kind: 'hard-timeout', limitMs: 1 } })
    expect(verdictsOn([fails(1)], timeout)).toEqual(['blocked AGENT_TIMEOUT@10'])
    const denied = said('fail', { denials: [{ what: 'x' }] })
    expect(verdictsOn([fails(1)], denied)).toEqual(['blocked AGENT_DENIED@10 STEP_FAILED@10'])
  })

  test('is not passed by what is no failure of the product', () => {
    expect(verdictsOn([fails(1)], agent(undefined, { reading: noLog }))).toEqual(['fail LOG_MISSING@10'])
    expect(verdictsOn([fails(1)], said('fail', { modifiedSpecFiles: ['/x'] }))[0]).toMatch(/^fail .*SPEC_MODIFIED/)
    expect(verdictsOn([codeFails(block('run', 'timeout'))])).toEqual(['fail BLOCK_TIMEOUT@77'])
    const broken = codeFails(block('run', 'fail'), { ...block('run', 'fail'), isBroken: true })
    expect(verdictsOn([broken])).toEqual(['fail RUN_FAILED@77 RUN_FAILED@77'])
    // None of its blocks ran.
    expect(verdictsOn([codeFails()])).toEqual(['fail RUN_FAILED@10'])
    const setUp = scenario([codeFails(block('run', 'fail'))], { setup: [block('run', 'fail')] })
    expect(evaluateScenario(setUp).map(short)).toEqual(['fail SETUP_FAILED@77'])
  })

  test('is not passed by a recording that does not fit', () => {
    const recorded = { ...block('run', 'fail'), isRecorded: true as const }
    const replayed = (...blocks: StepEvidence['blocks']): StepEvidence => ({
      ...codeFails(...blocks),
      replay: 'current',
    })
    const verdictOn = (...blocks: StepEvidence['blocks']): string =>
      (verdictsOn([replayed(...blocks)])[0] ?? '').replace(/@\d+/g, '')
    expect(verdictOn(recorded)).toBe('fail REPLAY_STALE')
    expect(verdictOn({ ...recorded, isOutputOnly: true })).toBe('fail REPLAY_DIFFERS')
    expect(verdictOn(recorded, block('verify', 'fail'))).toMatch(/^fail REPLAY_STALE/)
    expect(verdictOn({ ...block('run'), isRecorded: true }, block('verify', 'fail'))).toBe('pass verified')
  })

  test('does not stop the steps behind it', () => {
    const steps = [codeFails(block('run', 'fail')), codeStep(2, block('run'))]
    expect(verdictsOn(steps)).toEqual(['pass verified', 'pass verified'])
  })
})

test('what hinders the agent, or a block, is no failure that is expected', () => {
  const failed = [block('verify', 'fail')]
  const escaped = said('pass', { errors: [{ cause: 'executor', message: 'It used Bash.' }] })
  expect(verdictsOn([fails(1, { blocks: failed })], escaped)).toEqual([
    expect.stringMatching(/^fail .*EXECUTOR_UNAVAILABLE/),
  ])
  const timeout = said('fail', { ending: { kind: 'hard-timeout', limitMs: 1 } })
  expect(verdictsOn([fails(1, { blocks: failed })], timeout)).toEqual([expect.stringMatching(/^fail .*AGENT_TIMEOUT/)])
  const noBrowser = { ...block('run', 'fail'), blockedBy: 'BROWSER_UNAVAILABLE' as const }
  expect(verdictsOn([codeFails(noBrowser)])).toEqual(['blocked BROWSER_UNAVAILABLE@77'])
  // Nobody asks the agent for a step whose block failed before.
  expect(verdictsOn([fails(1, { blocks: [block('run', 'fail')] })])).toEqual(['pass verified'])
  const working = said('pass', { ending: { kind: 'working' }, reading: noLog })
  expect(verdictsOn([fails(1, { blocks: [block('run', 'fail')] })], working)).toEqual(['pass verified'])
})

test('an account that does not agree with itself is no failure that is expected', () => {
  const verdictOf = (more: Partial<StepEvidence>, status: 'pass' | 'fail', of: 'pass' | 'fail'): string => {
    const checks = [{ n: 1, status: of }]
    const account = agent(
      { status: 'fail', steps: [entry('1-s', status, { checks })] },
      { journal: [observedCall('1-s')] },
    )
    return verdictsOn([fails(1, { checks: [check(1)], ...more })], account)[0] ?? ''
  }
  const ofChange = { change: 'add-tags' }
  for (const more of [{}, ofChange]) {
    expect(verdictOf(more, 'pass', 'fail')).toBe('fail STATUS_CONTRADICTS_STEPS@10')
    expect(verdictOf(more, 'fail', 'fail')).toMatch(/^pass/)
  }
  // Prose that is no check may have failed; a scenario of a change has none.
  expect(verdictOf({}, 'fail', 'pass')).toBe('pass observed')
  expect(verdictOf(ofChange, 'fail', 'pass')).toBe('fail STATUS_CONTRADICTS_STEPS@10')
})

describe('a step that a change is to bring', () => {
  const awaited = (more: Partial<StepEvidence> = {}): StepEvidence => fails(1, { change: 'add-tags', ...more })

  test('fails as expected, and that has no assurance', () => {
    const journal = [observedCall('1-s')]
    const [verdict] = evaluateScenario(scenario([awaited()], { agent: said('fail', { journal }) }))
    expect(verdict).toEqual({
      outcome: 'pass',
      reasons: [],
      expected: [expect.objectContaining({ code: 'STEP_FAILED' })],
      change: 'add-tags',
    })
    // It is no pass that could be repeated.
    const reproduction = { isRequired: true, steps: {} }
    const [alone] = evaluateScenario(scenario([awaited()], { agent: said('fail', { journal }), reproduction }))
    expect(alone).toEqual(verdict)
    const blocks = [block('verify', 'fail')]
    const [seen] = evaluateScenario(scenario([awaited({ blocks })], { agent: said('pass', { journal }) }))
    expect(seen).toMatchObject({ outcome: 'pass', expected: [{ code: 'VERIFY_FAILED' }] })
    expect(seen).not.toHaveProperty('assurance')
  })

  test('passes early, on what every pass rests on', () => {
    const [verdict] = evaluateScenario(
      scenario([awaited()], { agent: said('pass', { journal: [observedCall('1-s')] }) }),
    )
    expect(verdict).toEqual({ outcome: 'pass', assurance: 'observed', reasons: [], change: 'add-tags' })
    expect(verdictsOn([awaited()], said('pass', { journal: [] }))).toEqual(['fail NO_ACTIVITY@10'])
  })

  test('is not passed by what hangs, by a bad account, or by what could not be tried', () => {
    const hangs = awaited({ blocks: [block('verify', 'timeout')] })
    expect(verdictsOn([hangs], said('pass'))).toEqual([expect.stringMatching(/^fail BLOCK_TIMEOUT/)])
    const both = awaited({ blocks: [block('verify', 'fail'), block('verify', 'timeout')] })
    expect(verdictsOn([both], said('pass'))).toEqual([expect.stringMatching(/^fail VERIFY_FAILED.*BLOCK_TIMEOUT/)])
    expect(verdictsOn([awaited()], said('fail', { journal: [] }))).toEqual(['fail NO_ACTIVITY@10'])
    expect(verdictsOn([awaited()], agent(undefined, { reading: noLog }))).toEqual(['fail LOG_MISSING@10'])
    const contradicted = agent({ status: 'pass', steps: [entry('1-s', 'fail')] })
    expect(verdictsOn([awaited()], contradicted)).toEqual([expect.stringMatching(/^fail .*STATUS_CONTRADICTS_STEPS/)])
    expect(verdictsOn([awaited()], said('fail', { modifiedSpecFiles: ['/x'] }))[0]).toMatch(/^fail .*SPEC_MODIFIED/)
    expect(verdictsOn([awaited()], said('blocked'))).toEqual(['blocked AGENT_BLOCKED@10'])
    const evidence = scenario([awaited()], { agent: said('fail'), teardown: [block('run', 'fail')] })
    const [tornDown] = evaluateScenario(evidence)
    expect(tornDown).toMatchObject({ outcome: 'fail', change: 'add-tags' })
    expect(tornDown).not.toHaveProperty('expected')
  })
})
