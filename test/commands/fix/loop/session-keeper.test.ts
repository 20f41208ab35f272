import { expect, test } from 'vitest'
import type { Spent } from '../../../../src/commands/fix/loop/fix-context.ts'
import { spend } from '../../../../src/commands/fix/loop/session-keeper.ts'

/** What is known after these calls: in all, of each, and of how many not all. */
function spendAll(calls: readonly Spent[]): { sum: number | null; each: (number | null)[]; untold: readonly string[] } {
  let costs: Omit<ReturnType<typeof spend>, 'costUsd'> = { cost_usd: 0, session_costs_usd: {}, calls_without_cost: [] }
  const each: (number | null)[] = []
  for (const call of calls) {
    const { costUsd, ...more } = spend(call, costs)
    each.push(costUsd)
    costs = more
  }
  return { sum: costs.cost_usd, each, untold: costs.calls_without_cost }
}

const told = (call: string, sessionCostUsd: number, sessionId = 's'): Spent => ({
  call,
  sessionId,
  sessionCostUsd,
  isCostTold: true,
})
const cut = (call: string, sessionCostUsd?: number): Spent => ({
  call,
  sessionId: 's',
  isCostTold: false,
  ...(sessionCostUsd !== undefined && { sessionCostUsd }),
})

test.for([
  { title: 'no call', calls: [], expected: { sum: 0, each: [], untold: [] } },
  {
    title: 'a program tells of its whole session',
    calls: [told('a', 1), told('b', 3), told('c', 0.5, 't')],
    expected: { sum: 3.5, each: [1, 2, 0.5], untold: [] },
  },
  { title: 'a refused request is free', calls: [told('a', 0)], expected: { sum: 0, each: [0], untold: [] } },
  {
    title: 'nothing known',
    calls: [cut('a'), cut('b', 0)],
    expected: { sum: null, each: [null, null], untold: ['a', 'b'] },
  },
  {
    title: 'a call that was cut off counts as far as it is known',
    calls: [told('a', 1), cut('b', 1.5), cut('c', 1.5)],
    expected: { sum: 1.5, each: [1, 0.5, null], untold: ['b', 'c'] },
  },
  {
    title: 'the same call twice counts once',
    calls: [cut('a', 1), cut('a', 1), told('b', 2), told('b', 2)],
    expected: { sum: 2, each: [1, null, 1, 0], untold: ['a'] },
  },
])('$title', ({ calls, expected }) => {
  expect(spendAll(calls)).toEqual(expected)
})
