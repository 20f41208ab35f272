import { expect, test } from 'vitest'
import { nextAction } from '../../../../src/commands/fix/loop/next-action.ts'
import type { AttemptMade, FinishedAct, TestPurpose } from '../../../../src/commands/fix/session/finished-acts.ts'
import { createSession, defaultSettings, type FixSettings } from '../../../../src/commands/fix/session/session-state.ts'

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

interface Spent {
  readonly limits: Partial<FixSettings>
  readonly elapsedMs: number
  readonly costUsd: number
  readonly untoldCosts: number
}

type Case = readonly [title: string, history: readonly FinishedAct[], expected: string, spent?: Partial<Spent>]

const cases: readonly Case[] = [
  ['begins with how tests are run', [], 'configure-tests'],
  ['runs them before anything else', [configured], 'run-tests baseline'],
  ['needs no agent where they pass', [configured, ran('baseline', '')], 'stop success'],
  ['no test is no success', [configured, ran('baseline', '', { total: 0 })], 'stop error'],
  ['what is blocked starts no attempt', [configured, ran('baseline', '', { blocked: ['a'] })], 'stop error'],
  ['a failure is looked at twice', [configured, ran('baseline', 'a')], 'run-tests confirm-failing'],
  [
    'a flaky one has to pass twice',
    [configured, ran('baseline', 'a'), ran('confirm-failing', '')],
    'run-tests confirm-passing',
  ],
  [
    'and costs no attempt',
    [configured, ran('baseline', 'a'), ran('confirm-failing', ''), ran('confirm-passing', '')],
    'stop success',
  ],
  [
    'another one is looked at, too',
    [configured, ran('baseline', 'a'), ran('confirm-failing', 'b')],
    'run-tests confirm-failing',
  ],
  [
    'but not for ever, where another one fails in each run',
    [configured, ran('baseline', 'a'), ...['b', 'c', 'd', 'e'].map((name) => ran('confirm-failing', name))],
    'stop error',
  ],
  [
    'and an attempt after which it is so is undone',
    [...red('a'), ...cycle('b'), ...['c', 'd', 'e', 'f'].map((name) => ran('confirm-failing', name))],
    'roll-back made-worse',
  ],
  ['a sure failure leads to a prompt', red('a'), 'write-prompt'],
  [
    'a sure failure beside blocked tests, too',
    [configured, ran('baseline', 'a', { blocked: ['b'] }), ran('confirm-failing', 'a', { blocked: ['b'] })],
    'write-prompt',
  ],
  ['a prompt leads to an attempt', [...red('a'), prompt], 'implement'],
  ['an attempt is judged by the tests', [...red('a'), prompt, attempt()], 'run-tests after-attempt'],
  ['also one that broke off', [...red('a'), prompt, attempt({ outcome: 'broke-off' })], 'run-tests after-attempt'],
  ['a pass is confirmed', [...red('a'), ...cycle('')], 'run-tests confirm-passing'],
  ['and is a success then', [...red('a'), ...cycle(''), ran('confirm-passing', '')], 'stop success'],
  [
    'what failed before and passes only once fails',
    [...red('a'), ...cycle(''), ran('confirm-passing', 'a')],
    'write-prompt',
  ],
  [
    'another one that passes only once is looked at again',
    [...red('a'), ...cycle(''), ran('confirm-passing', 'b')],
    'run-tests confirm-failing',
  ],
  [
    'and undoes the attempt where it fails twice',
    [...red('a'), ...cycle(''), ran('confirm-passing', 'b'), ran('confirm-failing', 'b')],
    'roll-back made-worse',
  ],
  [
    'a changed test is undone before any test runs',
    [...red('a'), prompt, attempt({ protectedChanges: ['a.test.ts'] })],
    'roll-back protected-files',
  ],
  [
    'then another attempt is made',
    [...red('a'), prompt, attempt({ protectedChanges: ['a.test.ts'] }), undone('protected-files')],
    'write-prompt',
  ],
  [
    'a new failure is looked at twice',
    [...red('a'), prompt, attempt(), ran('after-attempt', 'b')],
    'run-tests confirm-failing',
  ],
  ['and undone', [...red('a'), ...cycle('b'), ran('confirm-failing', 'b')], 'roll-back made-worse'],
  [
    'a test that is gone twice is undone',
    [
      ...[...red('a'), prompt, attempt(), ran('after-attempt', '', { lost: ['b'] })],
      ran('confirm-failing', '', { lost: ['b'] }),
    ],
    'roll-back tests-lost',
  ],
  ['fewer failures go on in the session', [...red('a b'), ...cycle('a')], 'write-prompt'],
  ['the same failure three times is stuck', [...red('a'), ...idle('a')], 'summarize stuck'],
  [
    'attempts undone three times are stuck',
    [
      ...red('a'),
      ...[1, 2, 3].flatMap(() => [prompt, attempt({ protectedChanges: ['x'] }), undone('protected-files')]),
    ],
    'summarize stuck',
  ],
  [
    'waiting is not stuck',
    [...red('a'), ...[1, 2, 3, 4].flatMap(() => [prompt, attempt({ outcome: 'waiting' })])],
    'write-prompt',
  ],
  [
    'a summary leads to a new session',
    [...red('a'), ...idle('a'), { kind: 'summarized', reason: 'stuck' }],
    'start-session stuck',
  ],
  ['a new session has attempts of its own', [...red('a'), ...idle('a'), ...fresh('stuck')], 'write-prompt'],
  [
    'three idle sessions are the end',
    [...red('a'), ...idle('a'), ...fresh('stuck'), ...idle('a'), ...fresh('stuck'), ...idle('a')],
    'stop stalled',
  ],
  [
    'progress in between begins the count anew',
    [...red('a b'), ...idle('a b'), ...fresh('stuck'), ...cycle('a'), ...idle('a'), ...fresh('stuck'), ...idle('a')],
    'summarize stuck',
  ],
  ['a full window is summarized', [...red('a b'), ...cycle('a', { contextUtilization: 0.61 })], 'summarize context'],
  ['a window of 60 % is not full', [...red('a b'), ...cycle('a', { contextUtilization: 0.6 })], 'write-prompt'],
  [
    'a new session has an empty window',
    [...red('a b'), ...cycle('a', { contextUtilization: 0.9 }), ...fresh('context')],
    'write-prompt',
  ],
  ['the last attempt is the last', [...red('a b'), ...cycle('a')], 'stop incomplete', { limits: { max_attempts: 1 } }],
  [
    'the last attempt may succeed',
    [...red('a'), ...cycle(''), ran('confirm-passing', '')],
    'stop success',
    { limits: { max_attempts: 1 } },
  ],
  ['time ends it', red('a'), 'stop incomplete', { limits: { max_minutes: 2 }, elapsedMs: 120_000 }],
  ['cost ends it', red('a'), 'stop incomplete', { limits: { max_cost_usd: 1 }, costUsd: 1 }],
  [
    'a cost that nobody told ends it where there is a limit',
    red('a'),
    'stop incomplete',
    { limits: { max_cost_usd: 1 }, untoldCosts: 1 },
  ],
  ['and nowhere else', red('a'), 'write-prompt', { untoldCosts: 1 }],
  [
    'a provider that asks to wait is asked again, and that is no attempt',
    [...red('a'), prompt, waited, waited, waited, waited],
    'implement',
    { limits: { max_attempts: 1 } },
  ],
  [
    'until time is up',
    [...red('a'), prompt, waited],
    'stop incomplete',
    { limits: { max_minutes: 1 }, elapsedMs: 60_000 },
  ],
  ['also before any test has run', [waited], 'stop incomplete', { limits: { max_minutes: 1 }, elapsedMs: 60_000 }],
  [
    'a new failure outside the scope is looked at twice',
    [...red('a'), prompt, attempt(), ran('after-attempt', '', { others: ['z'] })],
    'run-tests confirm-failing',
  ],
  [
    'and undone',
    [
      ...red('a'),
      prompt,
      attempt(),
      ran('after-attempt', '', { others: ['z'] }),
      ran('confirm-failing', '', { others: ['z'] }),
    ],
    'roll-back made-worse',
  ],
  [
    'what fails outside the scope all the time is no concern',
    [
      configured,
      ran('baseline', 'a', { others: ['z'] }),
      ran('confirm-failing', 'a', { others: ['z'] }),
      prompt,
      attempt(),
      ran('after-attempt', '', { others: ['z'] }),
      ran('confirm-passing', '', { others: ['z'] }),
    ],
    'stop success',
  ],
  [
    'who goes on after the end begins with the tests',
    [...red('a'), ...idle('a'), { kind: 'resumed' }],
    'run-tests baseline',
  ],
  ['what broke is an error', [configured, { kind: 'broke', message: 'No such program.' }], 'stop error'],
]

test('a success says that names differ from run to run', () => {
  const session = createSession({
    feature: 'f',
    settings: { ...defaultSettings, root: '/p' },
    runMark: 'm',
    now: new Date(0),
  })
  const history = [...red('a'), ...cycle(''), { ...ran('confirm-passing', ''), unstable: 1 }] as FinishedAct[] // a run
  expect(nextAction({ ...session, history })).toMatchObject({
    reason: expect.stringMatching(/twice in a row; names .* by number\.$/),
  })
})

test.for(cases)('%s', ([, history, expected, spent = {}]) => {
  const { limits, elapsedMs = 0, costUsd = 0, untoldCosts = 0 } = spent
  const settings = { ...defaultSettings, root: '/p', ...limits }
  const action = nextAction({
    ...createSession({ feature: 'f', settings, runMark: 'm', now: new Date(0) }),
    ...{ history: [...history], elapsed_ms: elapsedMs },
    ...{ cost_usd: costUsd, calls_without_cost: Array(untoldCosts).fill('call') },
  })
  const detail = { ...action } as Record<string, string>
  expect(
    [detail.kind, detail.kind === 'stop' ? detail.result : (detail.purpose ?? detail.reason)].filter(Boolean).join(' '),
  ).toBe(expected)
})
