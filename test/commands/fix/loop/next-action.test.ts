import { expect, test } from 'vitest'
import { nextAction, type FixLimits } from '../../../../src/commands/fix/loop/next-action.ts'
import type { AttemptMade, FinishedAct, TestPurpose } from '../../../../src/commands/fix/session/history.ts'

const configured: FinishedAct = { kind: 'tests-configured', runner: 'vitest' }
const prompt: FinishedAct = { kind: 'prompt-written' }

function ran(
  purpose: TestPurpose,
  failing: string,
  more: { total?: number; lost?: string[]; blocked?: string[]; others?: string[] } = {},
): FinishedAct {
  const names = failing === '' ? [] : failing.split(' ')
  return {
    kind: 'tests-ran',
    purpose,
    total: more.total ?? 5,
    ...(more.lost && { lost: more.lost }),
    failing: names,
    blocked: more.blocked ?? [],
    others: more.others ?? [],
    signature: failing,
    resultsFile: 'results/1.json',
  }
}

function attempt(more: Partial<AttemptMade> = {}): FinishedAct {
  const nothing = {
    summary: '',
    checkpoint: 'attempt-1',
    changedFiles: [],
    protectedChanges: [],
    contextUtilization: null,
  }
  return { kind: 'attempt-made', outcome: 'done', ...nothing, ...more }
}

/** Tests that failed before anything was done, twice. */
const red = (failing: string): FinishedAct[] => [configured, ran('baseline', failing), ran('confirm-failing', failing)]
/** An attempt after which these tests fail. */
const cycle = (failing: string, more: Partial<AttemptMade> = {}): FinishedAct[] => [
  prompt,
  attempt(more),
  ran('after-attempt', failing),
]
const fresh = (reason: 'stuck' | 'context'): FinishedAct[] => [
  { kind: 'summarized', reason },
  { kind: 'session-started', reason },
]
/** A session that changes nothing until it is stuck. */
const idle = (failing: string): FinishedAct[] => [...cycle(failing), ...cycle(failing)]
const waited: FinishedAct = { kind: 'waited', reason: 'API Error: 529 Overloaded.' }
const undone = (reason: 'protected-files' | 'made-worse' | 'tests-lost'): FinishedAct => ({
  kind: 'rolled-back',
  reason,
  names: [],
})

interface Case {
  readonly title: string
  readonly history: readonly FinishedAct[]
  readonly expected: string
  readonly limits?: Partial<FixLimits>
  readonly elapsedMs?: number
  readonly costUsd?: number
  readonly untoldCosts?: number
}

const cases: readonly Case[] = [
  { title: 'begins with how tests are run', history: [], expected: 'configure-tests' },
  { title: 'runs them before anything else', history: [configured], expected: 'run-tests baseline' },
  { title: 'needs no agent where they pass', history: [configured, ran('baseline', '')], expected: 'stop success' },
  { title: 'no test is no success', history: [configured, ran('baseline', '', { total: 0 })], expected: 'stop error' },
  {
    title: 'what is blocked starts no attempt',
    history: [configured, ran('baseline', '', { blocked: ['a'] })],
    expected: 'stop error',
  },
  {
    title: 'a failure is looked at twice',
    history: [configured, ran('baseline', 'a')],
    expected: 'run-tests confirm-failing',
  },
  {
    title: 'a flaky one has to pass twice',
    history: [configured, ran('baseline', 'a'), ran('confirm-failing', '')],
    expected: 'run-tests confirm-passing',
  },
  {
    title: 'and costs no attempt',
    history: [configured, ran('baseline', 'a'), ran('confirm-failing', ''), ran('confirm-passing', '')],
    expected: 'stop success',
  },
  {
    title: 'another one is looked at, too',
    history: [configured, ran('baseline', 'a'), ran('confirm-failing', 'b')],
    expected: 'run-tests confirm-failing',
  },
  {
    title: 'but not for ever, where another one fails in each run',
    history: [configured, ran('baseline', 'a'), ...['b', 'c', 'd', 'e'].map((name) => ran('confirm-failing', name))],
    expected: 'stop error',
  },
  {
    title: 'and an attempt after which it is so is undone',
    history: [...red('a'), ...cycle('b'), ...['c', 'd', 'e', 'f'].map((name) => ran('confirm-failing', name))],
    expected: 'roll-back made-worse',
  },
  { title: 'a sure failure leads to a prompt', history: red('a'), expected: 'write-prompt' },
  {
    title: 'a sure failure beside blocked tests, too',
    history: [configured, ran('baseline', 'a', { blocked: ['b'] }), ran('confirm-failing', 'a', { blocked: ['b'] })],
    expected: 'write-prompt',
  },
  { title: 'a prompt leads to an attempt', history: [...red('a'), prompt], expected: 'implement' },
  {
    title: 'an attempt is judged by the tests',
    history: [...red('a'), prompt, attempt()],
    expected: 'run-tests after-attempt',
  },
  {
    title: 'also one that broke off',
    history: [...red('a'), prompt, attempt({ outcome: 'broke-off' })],
    expected: 'run-tests after-attempt',
  },
  { title: 'a pass is confirmed', history: [...red('a'), ...cycle('')], expected: 'run-tests confirm-passing' },
  {
    title: 'and is a success then',
    history: [...red('a'), ...cycle(''), ran('confirm-passing', '')],
    expected: 'stop success',
  },
  {
    title: 'what failed before and passes only once fails',
    history: [...red('a'), ...cycle(''), ran('confirm-passing', 'a')],
    expected: 'write-prompt',
  },
  {
    title: 'another one that passes only once is looked at again',
    history: [...red('a'), ...cycle(''), ran('confirm-passing', 'b')],
    expected: 'run-tests confirm-failing',
  },
  {
    title: 'and undoes the attempt where it fails twice',
    history: [...red('a'), ...cycle(''), ran('confirm-passing', 'b'), ran('confirm-failing', 'b')],
    expected: 'roll-back made-worse',
  },
  {
    title: 'a changed test is undone before any test runs',
    history: [...red('a'), prompt, attempt({ protectedChanges: ['a.test.ts'] })],
    expected: 'roll-back protected-files',
  },
  {
    title: 'then another attempt is made',
    history: [...red('a'), prompt, attempt({ protectedChanges: ['a.test.ts'] }), undone('protected-files')],
    expected: 'write-prompt',
  },
  {
    title: 'a new failure is looked at twice',
    history: [...red('a'), prompt, attempt(), ran('after-attempt', 'b')],
    expected: 'run-tests confirm-failing',
  },
  {
    title: 'and undone',
    history: [...red('a'), ...cycle('b'), ran('confirm-failing', 'b')],
    expected: 'roll-back made-worse',
  },
  {
    title: 'a test that is gone is undone',
    history: [...red('a'), prompt, attempt(), ran('after-attempt', '', { lost: ['b'] })],
    expected: 'roll-back tests-lost',
  },
  { title: 'fewer failures go on in the session', history: [...red('a b'), ...cycle('a')], expected: 'write-prompt' },
  { title: 'the same failure three times is stuck', history: [...red('a'), ...idle('a')], expected: 'summarize stuck' },
  {
    title: 'attempts undone three times are stuck',
    history: [
      ...red('a'),
      ...[1, 2, 3].flatMap(() => [prompt, attempt({ protectedChanges: ['x'] }), undone('protected-files')]),
    ],
    expected: 'summarize stuck',
  },
  {
    title: 'waiting is not stuck',
    history: [...red('a'), ...[1, 2, 3, 4].flatMap(() => [prompt, attempt({ outcome: 'waiting' })])],
    expected: 'write-prompt',
  },
  {
    title: 'a summary leads to a new session',
    history: [...red('a'), ...idle('a'), { kind: 'summarized', reason: 'stuck' }],
    expected: 'start-session stuck',
  },
  {
    title: 'a new session has attempts of its own',
    history: [...red('a'), ...idle('a'), ...fresh('stuck')],
    expected: 'write-prompt',
  },
  {
    title: 'three idle sessions are the end',
    history: [...red('a'), ...idle('a'), ...fresh('stuck'), ...idle('a'), ...fresh('stuck'), ...idle('a')],
    expected: 'stop stalled',
  },
  {
    title: 'progress in between begins the count anew',
    history: [
      ...red('a b'),
      ...idle('a b'),
      ...fresh('stuck'),
      ...cycle('a'),
      ...idle('a'),
      ...fresh('stuck'),
      ...idle('a'),
    ],
    expected: 'summarize stuck',
  },
  {
    title: 'a full window is summarized',
    history: [...red('a b'), ...cycle('a', { contextUtilization: 0.61 })],
    expected: 'summarize context',
  },
  {
    title: 'a window of 60 % is not full',
    history: [...red('a b'), ...cycle('a', { contextUtilization: 0.6 })],
    expected: 'write-prompt',
  },
  {
    title: 'a new session has an empty window',
    history: [...red('a b'), ...cycle('a', { contextUtilization: 0.9 }), ...fresh('context')],
    expected: 'write-prompt',
  },
  {
    title: 'the last attempt is the last',
    history: [...red('a b'), ...cycle('a')],
    limits: { maxAttempts: 1 },
    expected: 'stop incomplete',
  },
  {
    title: 'the last attempt may succeed',
    history: [...red('a'), ...cycle(''), ran('confirm-passing', '')],
    limits: { maxAttempts: 1 },
    expected: 'stop success',
  },
  {
    title: 'time ends it',
    history: red('a'),
    limits: { maxMinutes: 2 },
    elapsedMs: 120_000,
    expected: 'stop incomplete',
  },
  { title: 'cost ends it', history: red('a'), limits: { maxCostUsd: 1 }, costUsd: 1, expected: 'stop incomplete' },
  {
    title: 'a cost that nobody told ends it where there is a limit',
    history: red('a'),
    limits: { maxCostUsd: 1 },
    untoldCosts: 1,
    expected: 'stop incomplete',
  },
  { title: 'and nowhere else', history: red('a'), untoldCosts: 1, expected: 'write-prompt' },
  {
    title: 'a provider that asks to wait is asked again, and that is no attempt',
    history: [...red('a'), prompt, waited, waited, waited, waited],
    limits: { maxAttempts: 1 },
    expected: 'implement',
  },
  {
    title: 'until time is up',
    history: [...red('a'), prompt, waited],
    limits: { maxMinutes: 1 },
    elapsedMs: 60_000,
    expected: 'stop incomplete',
  },
  {
    title: 'also before any test has run',
    history: [waited],
    limits: { maxMinutes: 1 },
    elapsedMs: 60_000,
    expected: 'stop incomplete',
  },
  {
    title: 'a new failure outside the scope is looked at twice',
    history: [...red('a'), prompt, attempt(), ran('after-attempt', '', { others: ['z'] })],
    expected: 'run-tests confirm-failing',
  },
  {
    title: 'and undone',
    history: [
      ...red('a'),
      prompt,
      attempt(),
      ran('after-attempt', '', { others: ['z'] }),
      ran('confirm-failing', '', { others: ['z'] }),
    ],
    expected: 'roll-back made-worse',
  },
  {
    title: 'what fails outside the scope all the time is no concern',
    history: [
      configured,
      ran('baseline', 'a', { others: ['z'] }),
      ran('confirm-failing', 'a', { others: ['z'] }),
      prompt,
      attempt(),
      ran('after-attempt', '', { others: ['z'] }),
      ran('confirm-passing', '', { others: ['z'] }),
    ],
    expected: 'stop success',
  },
  {
    title: 'who goes on after the end begins with the tests',
    history: [...red('a'), ...idle('a'), { kind: 'resumed' }],
    expected: 'run-tests baseline',
  },
  {
    title: 'what broke is an error',
    history: [configured, { kind: 'broke', message: 'No such program.' }],
    expected: 'stop error',
  },
]

test.for(cases)('$title', ({ history, expected, limits, elapsedMs = 0, costUsd = 0, untoldCosts = 0 }) => {
  const action = nextAction({ history, limits: { maxAttempts: 10, ...limits }, elapsedMs, costUsd, untoldCosts })
  const detail = { ...action } as Record<string, string>
  expect(
    [detail.kind, detail.kind === 'stop' ? detail.result : (detail.purpose ?? detail.reason)].filter(Boolean).join(' '),
  ).toBe(expected)
})
