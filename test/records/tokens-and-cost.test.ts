import { expect, test } from 'vitest'
import { countedUsage, formatCost, formatSpent, toldUsage } from '../../src/records/tokens-and-cost.ts'

test.each([
  [0, '0 tokens in'],
  [999, '999 tokens in'],
  [1000, '1 k tokens in'],
  [1234, '1.2 k tokens in'],
  [9949, '9.9 k tokens in'],
  [9950, '10 k tokens in'],
  [30_499, '30 k tokens in'],
  [999_499, '999 k tokens in'],
  [999_500, '1 M tokens in'],
  [1_230_000, '1.2 M tokens in'],
  [2_000_000_000, '2 G tokens in'],
])('%d is %s', (inputTokens, text) => {
  expect(formatSpent({ inputTokens, outputTokens: 7 })).toBe(`${text}, 7 out`)
})

test('a cost is said where it is known', () => {
  expect(formatSpent({ inputTokens: 1, outputTokens: 2, costUsd: 0.42 })).toBe('1 tokens in, 2 out, $0.42')
})

test.each([
  [0, '$0.00'],
  [12.345, '$12.35'],
  [0.1, '$0.10'],
  [0.0054, '$0.0054'],
  [0.05678, '$0.057'],
  [0.00000012, '$0.00000012'],
])('%d dollars are %s', (costUsd, text) => {
  expect(formatCost(costUsd)).toBe(text)
})

test('usage that no agent told is unknown', () => {
  expect(formatSpent({ inputTokens: 0, outputTokens: 0 })).toBe('usage unknown')
})

test('what an agent did not say is left out of what is told, and counts as nothing in sums', () => {
  const unknown = { inputTokens: 0, outputTokens: 0, model: 'model-1', durationMs: 5 }
  expect(toldUsage(unknown)).toEqual({ model: 'model-1', durationMs: 5 })
  expect(countedUsage(toldUsage(unknown))).toEqual(unknown)
  const free = { inputTokens: 0, outputTokens: 0, costUsd: 0, durationMs: 5 }
  expect(toldUsage(free)).toEqual(free)
  const known = { inputTokens: 3, outputTokens: 0, durationMs: 5 }
  expect(toldUsage(known)).toEqual(known)
})
