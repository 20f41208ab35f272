import { expect, test } from 'vitest'
import { nextAction } from '../../../../src/commands/fix/loop/next-action.ts'
import type { AttemptMade, FinishedAct, TestPurpose } from '../../../../src/commands/fix/session/finished-acts.ts'
import { createSession, defaultSettings, type FixSettings } from '../../../../src/commands/fix/session/session-state.ts'

const configured: FinishedAct = { kind: 'tests-configured', runner: 'vitest' }
const prompt: FinishedAct = { kind: 'prompt-written' }

interface Facts {
  readonly total?: number
  readonly lost?: string[]
  readonly blocked?: string[]
  readonly others?: string[]
  readonly unstable?: number
}

function ran(purpose: TestPurpose, failing: string, more: Facts = {}): FinishedAct {
  return {
    ...{ kind: 'tests-ran', purpose, total: 5, failing: failing.split(' ').filter(Boolean), blocked: [], others: [] },
    ...{ signature: failing, resultsFile: 'results/1.json', ...more },
  }
}

function attempt(more: Partial<AttemptMade> = {}): FinishedAct {
  const nothing = { summary: '', checkpoint: 'attempt-1', changedFiles: [], protectedChanges: [] }
  return { kind: 'attempt-made', outcome: 'done', contextUtilization: null, ...nothing, ...more }
}

const first = (failing: string, more?: Facts): FinishedAct[] => [configured, ran('baseline', failing, more)]
const again = (failing: string, more?: Facts): FinishedAct => ran('confirm-failing', failing, more)
const sure = (failing: string, more?: Facts): FinishedAct => ran('confirm-passing', failing, more)
/** Tests that failed before anything was done, twice. */
const red = (failing: string): FinishedAct[] => [...first(failing), again(failing)]
/** An attempt after which these tests fail. */
const cycle = (failing: string, more?: Partial<AttemptMade>, facts?: Facts): FinishedAct[] => [
  ...[prompt, attempt(more), ran('after-attempt', failing, facts)],
]
const forbidden = attempt({ protectedChanges: ['a.test.ts'] })
const outside = { others: ['z'] }
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
  ['needs no agent where they pass', first(''), 'stop success'],
  ['no test is no success', first('', { total: 0 }), 'stop error'],
  ['what is blocked starts no attempt', first('', { blocked: ['a'] }), 'stop error'],
  ['a failure is looked at twice', first('a'), 'run-tests confirm-failing'],
  ['a flaky one has to pass twice', [...first('a'), again('')], 'run-tests confirm-passing'],
  ['and costs no attempt', [...first('a'), again(''), sure('')], 'stop success'],
  ['another one is looked at, too', [...first('a'), again('b')], 'run-tests confirm-failing'],
  [
    'but not for ever, where another one fails in each run',
    [...first('a'), ...['b', 'c', 'd', 'e'].map((name) => again(name))],
    'stop error',
  ],
  [
    'and an attempt after which it is so is undone',
    [...red('a'), ...cycle('b'), ...['c', 'd', 'e', 'f'].map((name) => again(name))],
    'roll-back made-worse',
  ],
  ['a sure failure leads to a prompt', red('a'), 'write-prompt'],
  [
    'a sure failure beside blocked tests, too',
    [...first('a', { blocked: ['b'] }), again('a', { blocked: ['b'] })],
    'write-prompt',
  ],
  ['a prompt leads to an attempt', [...red('a'), prompt], 'implement'],
  ['an attempt is judged by the tests', [...red('a'), prompt, attempt()], 'run-tests after-attempt'],
  ['also one that broke off', [...red('a'), prompt, attempt({ outcome: 'broke-off' })], 'run-tests after-attempt'],
  ['a pass is confirmed', [...red('a'), ...cycle('')], 'run-tests confirm-passing'],
  ['and is a success then', [...red('a'), ...cycle(''), sure('')], 'stop success'],
  ['what failed before and passes only once fails', [...red('a'), ...cycle(''), sure('a')], 'write-prompt'],
  [
    'another one that passes only once is looked at again',
    [...red('a'), ...cycle(''), sure('b')],
    'run-tests confirm-failing',
  ],
  [
    'and undoes the attempt where it fails twice',
    [...red('a'), ...cycle(''), sure('b'), again('b')],
    'roll-back made-worse',
  ],
  ['a changed test is undone before any test runs', [...red('a'), prompt, forbidden], 'roll-back protected-files'],
  ['then another attempt is made', [...red('a'), prompt, forbidden, undone('protected-files')], 'write-prompt'],
  ['a new failure is looked at twice', [...red('a'), ...cycle('b')], 'run-tests confirm-failing'],
  ['and undone', [...red('a'), ...cycle('b'), again('b')], 'roll-back made-worse'],
  [
    'a test that is gone twice is undone',
    [...red('a'), ...cycle('', {}, { lost: ['b'] }), again('', { lost: ['b'] })],
    'roll-back tests-lost',
  ],
  ['fewer failures go on in the session', [...red('a b'), ...cycle('a')], 'write-prompt'],
  ['the same failure three times is stuck', [...red('a'), ...idle('a')], 'summarize stuck'],
  [
    'attempts undone three times are stuck',
    [...red('a'), ...[1, 2, 3].flatMap(() => [prompt, forbidden, undone('protected-files')])],
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
    [...red('a'), ...cycle(''), sure('')],
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
    [...red('a'), ...cycle('', {}, outside)],
    'run-tests confirm-failing',
  ],
  ['and undone', [...red('a'), ...cycle('', {}, outside), again('', outside)], 'roll-back made-worse'],
  [
    'what always fails outside the scope is no concern',
    [...first('a', outside), again('a', outside), ...cycle('', {}, outside), sure('', outside)],
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
  const history = [...red('a'), ...cycle(''), sure('', { unstable: 1 })]
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
