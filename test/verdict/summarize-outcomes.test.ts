import { expect, test } from 'vitest'
import { summarizeOutcomes } from '../../src/verdict/verdict.ts'
import type { Outcome } from '../../src/records/outcome.ts'

test.for([
  [['pass', 'skipped'], 'pass'],
  [['pass', 'blocked', 'skipped'], 'blocked'],
  [['blocked', 'fail', 'pass'], 'fail'],
  [['skipped', 'skipped'], 'skipped'],
  [[], 'skipped'],
] as const)('%j is %s', ([outcomes, expected]: readonly [readonly Outcome[], Outcome]) => {
  expect(summarizeOutcomes(outcomes)).toBe(expected)
})
