import { describe, expect, test } from 'vitest'
import {
  createSession,
  defaultSettings,
  type SessionState,
} from '../../../../src/commands/fix/session/session-state.ts'
import { SessionKeeper, spend, type Spent } from '../../../../src/commands/fix/loop/session-keeper.ts'

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

describe('a session that is worked on', () => {
  const initial = createSession({
    feature: 'Cart',
    settings: { ...defaultSettings, root: '/p' },
    runMark: 'mdtest-1',
    now: new Date(0),
  })

  /** A keeper whose clock goes on by `step` ms with each look, and all that it saved. */
  function open(state: SessionState, step = 0): { keeper: SessionKeeper; saved: SessionState[] } {
    const saved: SessionState[] = []
    let ms = 1_000
    const store = { saveState: (each: SessionState) => void saved.push(each) }
    const keeper = new SessionKeeper(state, { store, now: () => new Date((ms += step)) })
    return { keeper, saved }
  }

  test('is written down before and after each act, and what comes next with it', () => {
    const { keeper, saved } = open(initial)
    keeper.open()
    keeper.begin('configure-tests', null)
    keeper.finish({ kind: 'tests-configured', runner: 'vitest' })
    keeper.begin('run-tests', 'act-2')
    keeper.fail('No disk.')
    keeper.end('error', 'No disk.')
    expect(saved.map(({ act, next_action: next, result }) => [act?.kind, act?.checkpoint, next, result])).toEqual([
      [undefined, undefined, 'configure-tests', null],
      ['configure-tests', null, 'configure-tests', null],
      [undefined, undefined, 'run-tests', null],
      ['run-tests', 'act-2', 'run-tests', null],
      ['run-tests', 'act-2', 'stop', 'error'],
      [undefined, undefined, 'stop', 'error'],
    ])
    expect(keeper.state).toEqual(saved.at(-1))
  })

  test('tells those who read the state alone how many tests failed', () => {
    const { keeper } = open(initial)
    keeper.finish({ kind: 'tests-configured', runner: 'vitest' })
    keeper.finish({
      ...{ kind: 'tests-ran', purpose: 'baseline', total: 5, failing: ['a', 'b'], others: ['c'], blocked: [] },
      ...{ signature: 's', resultsFile: 'results/2.json' },
    })
    expect(keeper.state.failing).toEqual(['a', 'b'])
    expect(keeper.state.state).toMatchObject({ total_tests: 5, failing_tests: 2, previous_attempts: 0 })
  })

  test('has used the time of all its parts, also where a clock goes back', () => {
    const forward = open({ ...initial, elapsed_ms: 500 }, 10)
    forward.keeper.open()
    expect(forward.saved[0]?.elapsed_ms).toBe(510)
    expect(forward.keeper.current().elapsed_ms).toBeGreaterThan(510)
    const back = open({ ...initial, elapsed_ms: 500 }, -10)
    back.keeper.open()
    expect(back.saved[0]?.elapsed_ms).toBe(500)
  })

  test('keeps costs, the session of the agent and summaries with the next act', () => {
    const { keeper, saved } = open(initial)
    expect(keeper.spend(told('1-a', 2))).toBe(2)
    keeper.keepAgentSession('s')
    keeper.addSummary('first', 'stuck')
    keeper.addSummary('second', 'context')
    expect(saved).toEqual([])
    keeper.finish({ kind: 'prompt-written' })
    expect(saved[0]).toMatchObject({ cost_usd: 2, agent_session_id: 's' })
    expect(saved[0]?.state.summaries.map(({ version, text, reason }) => [version, text, reason])).toEqual([
      [1, 'first', 'stuck'],
      [2, 'second', 'context'],
    ])
  })
})
