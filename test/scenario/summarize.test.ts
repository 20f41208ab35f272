import { describe, expect, test } from 'vitest'
import { recordStep, lateFindings } from '../../src/scenario/scenario-record.ts'
import { type Step, stepsOf } from '../../src/spec/spec.ts'
import type { Outcome } from '../../src/records/outcome.ts'
import type { Verdict } from '../../src/verdict/verdict.ts'
import { parseSpec } from '../../src/spec/parse-spec.ts'

const step: Step = { ordinal: 1, id: '1-pay', title: 'Pay', line: 7, actor: 'agent', checks: [], blocks: [] } as never // only these are read
const passed: Verdict = { outcome: 'pass', assurance: 'observed', reasons: [] }
const failed: Verdict = { outcome: 'fail', reasons: [{ code: 'SPEC_MODIFIED', message: 'changed', line: 1 }] }
const skipped: Verdict = { outcome: 'skipped', reasons: [{ code: 'PREDECESSOR_FAILED', message: 'before' }] }

describe('the verdict on a step', () => {
  test('is the final one where no test has shown it', () => {
    const found = { id: '1-pay', title: 'Pay', line: 7, assurance: 'observed', reasons: [] }
    expect(recordStep({ step, settled: undefined, final: passed, durationMs: 5 })).toEqual({
      ...found,
      outcome: 'pass',
      durationMs: 5,
    })
  })

  test.for([
    ['what came later and is worse', passed, failed, 'fail'],
    ['what its test showed, though it looks better now', failed, passed, 'fail'],
    ['skipped as its test was', skipped, passed, 'skipped'],
  ] as const)('is %s', ([, settled, final, outcome]) => {
    expect(recordStep({ step, settled, final, durationMs: 0 })).toMatchObject({ outcome })
  })
})

describe('what is found after a step was settled', () => {
  const { spec } = parseSpec('# T\n\n## A\n\nDo.\n', { file: '/s.test.md' })
  const [found] = spec.scenarios.flatMap(stepsOf)
  if (found === undefined) throw new Error('The spec has no step.')
  const verdict = (outcome: Outcome, line?: number): Verdict => ({
    outcome,
    reasons: [{ code: 'STEP_UNKNOWN', message: 'Twice.', ...(line !== undefined && { line }) }],
  })

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
    expect(lateFindings(found, verdict(settled), verdict(final))).toHaveLength(isWorse ? 1 : 0)
  })

  test('stands at its own line, else at the heading, and names the step', () => {
    const [own] = lateFindings(found, verdict('pass'), verdict('fail', 5))
    const [heading] = lateFindings(found, verdict('pass'), verdict('fail'))
    expect([own?.line, heading?.line]).toEqual([5, 3])
    expect(own).toMatchObject({ code: 'STEP_UNKNOWN', message: 'After step "A" had been settled as `pass`: Twice.' })
  })
})
