import { describe, expect, test } from 'vitest'
import { isUnrepeatable, rateStep } from '../../src/scenario/rate-step.ts'
import type { Verdict } from '../../src/verdict/verdict.ts'

const pass = (assurance: Verdict['assurance'] = 'verified'): Verdict => ({
  outcome: 'pass',
  reasons: [],
  ...(assurance && { assurance }),
})
const fail: Verdict = { outcome: 'fail', reasons: [{ code: 'VERIFY_FAILED', message: 'not 3', line: 7 }] }
const blocked: Verdict = { outcome: 'blocked', reasons: [{ code: 'AGENT_TIMEOUT', message: 'too slow', line: 5 }] }
const skipped: Verdict = { outcome: 'skipped', reasons: [{ code: 'PREDECESSOR_FAILED', message: 'behind' }] }
const leftOut: Verdict = { outcome: 'skipped', reasons: [] }
const rate = (required: number, ...verdicts: readonly Verdict[]): Verdict =>
  rateStep(verdicts, { repeats: { runs: verdicts.length, required }, stoppedBy: undefined })

describe('a step of a scenario that is run several times', () => {
  test('passes if it does so often enough, and is worth what its weakest pass is', () => {
    expect(rate(2, pass('verified'), fail, pass('claimed'))).toEqual(pass('claimed'))
    expect(rate(1, blocked, pass())).toEqual(pass())
  })

  test('is not there yet if it failed as expected in a run that counts, and then has no assurance', () => {
    const early = { ...pass(), change: 'add-tags' }
    const missing: Verdict = { outcome: 'pass', reasons: [], expected: fail.reasons, change: 'add-tags' }
    expect(rate(2, early, missing)).toEqual(missing)
    expect(rate(2, early, early)).toEqual(early)
    expect(rate(2, early, { ...fail, change: 'add-tags' })).toMatchObject({ outcome: 'fail', change: 'add-tags' })
  })

  test('ran in the least sandbox of its passes', () => {
    const [boxed, open] = [{ sandbox: 'bubblewrap' }, { sandbox: 'none', why: 'it is off' }] as const // literals
    expect(rate(2, { ...pass(), executor: boxed }, { ...pass(), executor: open }).executor).toEqual(open)
    expect(rate(1, { ...pass(), executor: boxed }, { ...fail, executor: open }).executor).toEqual(boxed)
    expect(rate(1, pass()).executor).toBeUndefined()
  })

  test('fails where failures alone are too many', () => {
    const { outcome, reasons } = rate(3, pass(), fail, blocked, fail)
    expect(outcome).toBe('fail')
    expect(reasons.map(({ code, message, line }) => `${code} ${message} ${line}`)).toEqual([
      'VERIFY_FAILED Run 2, 4: not 3 7',
      'AGENT_TIMEOUT Run 3: too slow 5',
    ])
  })

  test.for(['SOURCE_MODIFIED', 'SPEC_MODIFIED'] as const)('fails by one %s, however often it passes', (code) => {
    const changed: Verdict = { outcome: 'fail', reasons: [{ code, message: 'changed' }] }
    const { outcome, reasons } = rate(1, pass(), changed, pass())
    expect([outcome, reasons]).toEqual(['fail', [{ code, message: 'Run 2: changed' }]])
    expect(rate(1, pass(), { ...changed, outcome: 'blocked' }).outcome).toBe('fail')
    expect(isUnrepeatable(changed)).toBe(true)
    expect(isUnrepeatable(fail)).toBe(false)
  })

  test('is blocked where a run that was blocked could have made the difference', () => {
    expect(rate(3, pass(), fail, blocked, pass()).outcome).toBe('blocked')
    expect(rate(3, pass(), fail, blocked, pass()).reasons[0]?.code).toBe('AGENT_TIMEOUT')
    expect(rate(2, blocked, blocked).outcome).toBe('blocked')
  })

  test('is blocked where runs that were not made could have made the difference', () => {
    const repeats = { runs: 5, required: 4 }
    expect(rateStep([pass(), blocked], { repeats, stoppedBy: undefined }).outcome).toBe('blocked')
    expect(rateStep([fail, fail, blocked], { repeats, stoppedBy: undefined }).outcome).toBe('fail')
  })

  test('is skipped where it was in each run, or behind a step that did not pass often enough', () => {
    expect(rate(2, leftOut, leftOut)).toEqual(leftOut)
    expect(rate(2, skipped, skipped)).toEqual(skipped)
    const behind = rateStep([pass(), skipped], { repeats: { runs: 2, required: 2 }, stoppedBy: 'Pay' })
    expect(behind).toMatchObject({ outcome: 'skipped', reasons: [{ code: 'PREDECESSOR_FAILED' }] })
    expect(behind.reasons[0]?.message).toContain('"Pay"')
  })
})
