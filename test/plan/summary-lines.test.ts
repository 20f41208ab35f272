import { expect, test } from 'vitest'
import { ownsStdout } from '../../src/vitest/reporters/lines/print-line.ts'
import type { UsedExecutor } from '../../src/records/used-executor.ts'
import { summarizeRun, type EndedStep } from '../../src/plan/summary-lines.ts'

const noAgents = { scenarios: 0, agents: 0, inputTokens: 0, outputTokens: 0, withoutCost: 0 }
const passed = (assurance: 'verified' | 'evidenced' | 'observed' | 'claimed', flaky?: true): EndedStep => ({
  state: 'passed',
  meta: { outcome: 'pass', reasons: [], assurance, ...(flaky && { flaky }) },
})
const failed = (outcome?: 'fail' | 'blocked'): EndedStep => ({
  state: 'failed',
  meta: outcome && { outcome, reasons: [] },
})

test('nothing where no step ran', () => {
  expect(summarizeRun([], noAgents)).toEqual([])
  expect(summarizeRun([{ state: 'skipped', meta: undefined }], noAgents)).toEqual([])
})

test('passes by assurance, the strongest first, and blocked steps apart from failed ones', () => {
  const steps = [
    passed('claimed'),
    passed('verified'),
    passed('verified', true),
    failed('fail'),
    failed(),
    failed('blocked'),
  ]
  expect(summarizeRun(steps, noAgents)).toEqual([
    'steps: 3 passed: 2 verified, 1 claimed; 2 failed; 1 blocked; 1 flaky',
    "claimed: 1 step passed on the agent's word alone. Add `verify` blocks.",
  ])
  expect(summarizeRun([failed('blocked')], noAgents)).toEqual(['steps: 0 passed; 1 blocked'])
})

test('who carried out the steps that ran, where recordings had a part in it', () => {
  const by = (kind: 'replayed' | 'agent', state: EndedStep['state'] = 'passed'): EndedStep => ({
    state,
    meta: { outcome: state === 'passed' ? 'pass' : 'fail', reasons: [], source: { kind } },
  })
  expect(summarizeRun([by('replayed'), by('replayed', 'failed'), by('agent'), passed('verified')], noAgents)).toEqual([
    'steps: 3 passed: 1 verified; 1 failed',
    'steps: 2 replayed, 1 by the agent',
  ])
  expect(summarizeRun([by('agent'), by('replayed', 'skipped')], noAgents)).toEqual(['steps: 1 passed'])
})

test('how many files agents could not change unseen, and where a cap was met', () => {
  const usage = { ...noAgents, scenarios: 1, agents: 1, withoutCost: 1 }
  const linesOf = (guarded: { count: number; cap?: number }): readonly string[] =>
    summarizeRun([failed()], { ...usage, guarded }).filter((line) => line.startsWith('guarded'))
  expect(linesOf({ count: 1 })).toEqual(['guarded: 1 file'])
  expect(linesOf({ count: 50_312, cap: 50_000 })).toEqual([
    'guarded: 50,312 files; of files that git does not track, only the first 50,000. Let git ignore files that are not part of the product.',
  ])
  expect(summarizeRun([failed()], { ...noAgents, guarded: { count: 3 } }).join()).not.toContain('guarded')
})

test('what mdtest executed for agents, and in which sandbox these were', () => {
  const by = (executor: UsedExecutor | undefined, state: EndedStep['state'] = 'passed'): EndedStep => ({
    state,
    meta: { outcome: state === 'passed' ? 'pass' : 'fail', reasons: [], ...(executor && { executor }) },
  })
  const [boxed, open] = [{ sandbox: 'bubblewrap' }, { sandbox: 'none', why: 'it is off' }] as const // literals
  expect(
    summarizeRun([by(boxed), by(boxed, 'failed'), by(open), by(open, 'skipped'), by(undefined)], noAgents),
  ).toEqual([
    'steps: 3 passed; 1 failed',
    'executor: 2 steps by mdtest, sandbox bubblewrap; 1 step by mdtest, no sandbox: it is off',
  ])
})

test('what the agents used', () => {
  const usage = {
    scenarios: 12,
    agents: 12,
    inputTokens: 1_200_000,
    outputTokens: 30_000,
    costUsd: 0.42,
    withoutCost: 0,
  }
  expect(summarizeRun([], usage)).toEqual(['agents: 12 scenarios, 1.2 M tokens in, 30 k out, $0.42'])
  expect(summarizeRun([], { ...usage, scenarios: 1, agents: 3, withoutCost: 1 })).toEqual([
    'agents: 1 scenario, 3 starts, 1.2 M tokens in, 30 k out, $0.42 (2 of 3 agents say what they cost)',
  ])
})

test.each([
  [[], false],
  [['default'], false],
  [['default', 'github-actions'], false],
  [['verbose', './mine.mjs'], false],
  [['vitest-mdtest/reporter', 'vitest-mdtest/github', 'vitest-mdtest/ctrf'], false],
  [['json', 'vitest-mdtest/ctrf'], true],
  [['json'], true],
  [['default', 'junit'], true],
  [['./mine.mjs'], true],
])('reporters %j own standard output: %j', (names, owns) => {
  expect(ownsStdout(names)).toBe(owns)
})

test('what failed as expected is no pass, and changes are named of which something passes early', () => {
  const ofChange = (change: string, meta: Partial<NonNullable<EndedStep['meta']>>): EndedStep => ({
    state: 'passed',
    meta: { outcome: 'pass', reasons: [], change, ...meta },
  })
  const missing = { expected: [{ code: 'STEP_FAILED', message: 'no tags' }] } as const // a literal code
  const early = { assurance: 'observed' } as const // a literal
  const steps = [
    passed('verified'),
    { ...passed('verified'), meta: { outcome: 'pass', reasons: [], assurance: 'verified', ...missing } },
    ofChange('b b', early),
    ofChange('a', missing),
    ofChange('a', early),
    { state: 'failed', meta: { outcome: 'fail', reasons: [], change: 'a' } },
    ofChange('c', missing),
  ] as const satisfies readonly EndedStep[]
  expect(summarizeRun(steps, noAgents)).toEqual([
    'steps: 3 passed: 1 verified, 2 observed; 3 failed as expected; 1 failed',
    'change a: 1 of 3 scenarios pass already; when all do, archive it: openspec archive a',
    "change b b: 1 of 1 scenario passes already; when all do, archive it: openspec archive 'b b'",
  ])
})
