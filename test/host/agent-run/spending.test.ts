import { expect, test } from 'vitest'
import fc from '../../support/fast-check.ts'
import { Spending } from '../../../src/host/agent-run/spending.ts'

const none = { scenarios: 0, agents: 0, inputTokens: 0, outputTokens: 0, withoutCost: 0 }

test('counts scenarios once and every agent', () => {
  const spending = new Spending()
  expect(spending.total).toEqual(none)
  spending.open('a').write({ inputTokens: 10, outputTokens: 1, costUsd: 0.5 })
  spending.open('a').write({ inputTokens: 20, outputTokens: 2, costUsd: 0.25 })
  spending.open('b').write({ inputTokens: 40, outputTokens: 4 })
  expect(spending.total).toEqual({
    scenarios: 2,
    agents: 3,
    inputTokens: 70,
    outputTokens: 7,
    costUsd: 0.75,
    withoutCost: 1,
  })
})

test('what an agent of an earlier run writes does not count for the next', () => {
  const spending = new Spending()
  const account = spending.open('a')
  spending.reset()
  account.write({ inputTokens: 10, outputTokens: 1 })
  expect(spending.total).toEqual(none)
})

test('only the last thing an agent writes counts', () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.nat(), { minLength: 1 })), (writings) => {
      const spending = new Spending()
      for (const [index, counts] of writings.entries()) {
        const account = spending.open(String(index))
        for (const inputTokens of counts) account.write({ inputTokens, outputTokens: 0 })
      }
      expect(spending.total.inputTokens).toBe(writings.reduce((sum, counts) => sum + (counts.at(-1) ?? 0), 0))
    }),
  )
})
