import { describe, expect, test } from 'vitest'
import { lateFindings } from '../../src/scenario/late-findings.ts'
import { parseSpec } from '../../src/spec/parse-spec.ts'
import { stepsOf } from '../../src/spec/spec.ts'
import type { Outcome } from '../../src/records/outcome.ts'
import type { Verdict } from '../../src/verdict/verdict.ts'

const { spec } = parseSpec('# T\n\n## A\n\nDo.\n', { file: '/s.test.md' })
const [step] = spec.scenarios.flatMap(stepsOf)
const verdict = (outcome: Outcome, line?: number): Verdict => ({
  outcome,
  reasons: [{ code: 'STEP_UNKNOWN', message: 'Twice.', ...(line !== undefined && { line }) }],
})

describe('what is found after a step was settled', () => {
  test.for<[settled: Outcome, final: Outcome, isWorse: boolean]>([
    ['pass', 'fail', true],
    ['pass', 'blocked', true],
    ['blocked', 'fail', true],
    ['skipped', 'fail', true],
    ['pass', 'pass', false],
    ['pass', 'skipped', false],
    ['fail', 'blocked', false],
    ['fail', 'fail', false],
  ])('%s, then %s', ([settled, final, isWorse]) => {
    if (step === undefined) throw new Error('The spec has no step.')
    expect(lateFindings(step, verdict(settled), verdict(final))).toHaveLength(isWorse ? 1 : 0)
  })

  test('stands at its own line, else at the heading, and names the step', () => {
    if (step === undefined) throw new Error('The spec has no step.')
    const [own] = lateFindings(step, verdict('pass'), verdict('fail', 5))
    const [heading] = lateFindings(step, verdict('pass'), verdict('fail'))
    expect([own?.line, heading?.line]).toEqual([5, 3])
    expect(own).toMatchObject({ code: 'STEP_UNKNOWN', message: 'After step "A" had been settled as `pass`: Twice.' })
  })
})
