import { expect, test } from 'vitest'
import { type Outcome, summarizeOutcomes } from '../../src/records/outcome.ts'

test.for([
  [['pass', 'skipped'], 'pass'],
  [['pass', 'blocked', 'skipped'], 'blocked'],
  [['blocked', 'fail', 'pass'], 'fail'],
  [['skipped', 'skipped'], 'skipped'],
  [[], 'skipped'],
] as const)('%j is %s', ([outcomes, expected]: readonly [readonly Outcome[], Outcome]) => {
  expect(summarizeOutcomes(outcomes)).toBe(expected)
})
