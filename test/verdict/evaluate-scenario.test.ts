import { describe, expect, test } from 'vitest'
import type { ScenarioEvidence } from '../../src/verdict/verdict.ts'
import { evaluateScenario } from '../../src/verdict/evaluate-scenario.ts'
import { table, type Row } from './verdict-table.ts'
import {
  agent,
  agentBut,
  block,
  check,
  codeStep,
  entry,
  noLog,
  stepWith,
  scenario,
  startedAtMs,
  step,
  one,
  two,
  three,
} from './evidence.ts'

const leftOut = step(2, { actor: 'todo' })

table('a log without a list of steps', [
  ['passes every step', two, agent(), 'pass | pass'],
  ['that fails fails the last step', two, agent({ status: 'fail' }), 'pass | fail STEP_FAILED@20'],
  [
    'that fails fails the last step asked for',
    [step(1), leftOut, codeStep(3, block('run'))],
    agent({ status: 'fail' }),
    'fail STEP_FAILED@10 | skipped | skip 3',
  ],
  ['may name this run', one, agent({ status: 'pass', run: 'run-1' }), 'pass'],
  ['of another run fails', two, agent({ status: 'pass', run: 'run-2' }), 'fail LOG_WRONG_RUN@10 | skip 2'],
  ['with an empty run id fails', one, agent({ status: 'pass', run: '' }), 'fail LOG_WRONG_RUN@10'],
])

const logAt = (modifiedAtMs: number) => ({ ok: true, log: { status: 'pass' }, body: '', modifiedAtMs }) as const
table('a log that cannot be used', [
  ...(
    ['LOG_NO_FRONT_MATTER', 'LOG_INVALID_YAML', 'LOG_INVALID_STATUS', 'LOG_TOO_LARGE', 'LOG_UNREADABLE'] as const
  ).map((code): Row => [
    `fails with ${code}`,
    two,
    agentBut({ reading: { ok: false, code, message: 'm' } }),
    `fail ${code}@10 | skip 2`,
  ]),
  ['that is missing fails', two, agentBut({ reading: noLog }), 'fail LOG_MISSING@10 | skip 2'],
  ['that is older than the start fails', one, agentBut({ reading: logAt(startedAtMs - 2001) }), 'fail LOG_STALE@10'],
  [
    'that is older by no more than a file system is coarse passes',
    one,
    agentBut({ reading: logAt(startedAtMs - 2000) }),
    'pass',
  ],
  ['of which no time is known fails', one, agentBut({ reading: logAt(Number.NaN) }), 'fail LOG_STALE@10'],
])

/** A log with its status and its list: `2-s fail`, or `1-s` for one that passed. */
const list = (status: 'pass' | 'fail', ...steps: readonly string[]) =>
  agent({ status, steps: steps.map((text) => entry(...(text.split(' ') as Parameters<typeof entry>))) }) // as written here
const pass = (...ids: readonly string[]) => list('pass', ...ids)
table('a list of steps', [
  ['with each step passes', two, pass('1-s', '2-s'), 'pass | pass'],
  ['in another order passes', two, pass('2-s', '1-s'), 'pass | pass'],
  ['that is empty reports nothing', two, pass(), 'fail STEP_UNREPORTED@10 | skip 2'],
  ['without a step fails that step', two, pass('1-s'), 'pass | fail STEP_UNREPORTED@20'],
  [
    'with a failed step fails it and skips the rest',
    three,
    list('fail', '1-s', '2-s fail', '3-s'),
    'pass | fail STEP_FAILED@20 | skip 3',
  ],
  ['with a blocked step blocks it', two, list('fail', '1-s blocked', '2-s'), 'blocked AGENT_BLOCKED@10 | skip 2'],
  ['with a step the agent skipped fails it', two, list('fail', '1-s', '2-s skipped'), 'pass | fail STEP_UNREPORTED@20'],
  ['with an unknown step fails the last step', two, pass('1-s', '2-s', '3-x'), 'pass | fail STEP_UNKNOWN@20'],
  ['with a step twice fails it', two, pass('1-s', '1-s', '2-s'), 'fail STEP_UNKNOWN@10 | skip 2'],
  [
    'with a step twice that was not asked for fails the last step',
    [step(1), leftOut],
    pass('1-s', '2-s', '2-s'),
    'fail STEP_UNKNOWN@10 | skipped',
  ],
  ['with a passed step that was not asked for passes', [step(1), leftOut], pass('1-s', '2-s'), 'pass | skipped'],
  ['may hold a passed step of code', [step(1), codeStep(2, block('run'))], pass('1-s', '2-s'), 'pass | pass verified'],
  [
    'with a failed step of code leaves that step to its blocks, and fails the last step asked for',
    [codeStep(1, block('run')), step(2)],
    list('pass', '1-s fail', '2-s'),
    'pass verified | fail STATUS_CONTRADICTS_STEPS@20',
  ],
  [
    'that fails nothing but a step of code fails the last step asked for',
    [step(1), codeStep(2, block('run'))],
    list('fail', '1-s', '2-s fail'),
    'fail STATUS_CONTRADICTS_STEPS@10 | skip 2',
  ],
])

table('a status against its list', [
  ['pass with a failed step fails', one, list('pass', '1-s fail'), 'fail STEP_FAILED@10 STATUS_CONTRADICTS_STEPS@10'],
  [
    'pass with a blocked step fails',
    one,
    list('pass', '1-s blocked'),
    'fail STATUS_CONTRADICTS_STEPS@10 AGENT_BLOCKED@10',
  ],
  [
    'pass with a failed step that was not asked for fails the last step asked for',
    [step(1), leftOut],
    list('pass', '1-s', '2-s fail'),
    'fail STATUS_CONTRADICTS_STEPS@10 | skipped',
  ],
  [
    'fail without a failed step fails the last step',
    two,
    list('fail', '1-s', '2-s'),
    'pass | fail STATUS_CONTRADICTS_STEPS@20',
  ],
  [
    'fail with nothing but a failed step that was not asked for fails the last step asked for',
    [step(1), leftOut],
    list('fail', '1-s', '2-s fail'),
    'fail STATUS_CONTRADICTS_STEPS@10 | skipped',
  ],
])

const checked = step(1, { checks: [check(1), check(2)] })
type Checks = NonNullable<ReturnType<typeof entry>['checks']>
const withChecks = (checks: Checks | undefined, status: 'pass' | 'fail' = 'pass'): ScenarioEvidence =>
  scenario([checked], {
    agent: agent({ status, steps: [entry('1-s', status, checks === undefined ? {} : { checks })] }),
  })
const ok = { n: 1, status: 'pass' } as const
const second = { n: 2, status: 'pass' } as const
table('checks', [
  ['that are all reported pass', withChecks([ok, second]), 'pass'],
  [
    'may be named by their line',
    withChecks([
      { line: 101, status: 'pass' },
      { line: 102, status: 'pass' },
    ]),
    'pass',
  ],
  ['are not needed without a list of steps', [checked], agent(), 'pass'],
  [
    'that are not reported fail at their lines',
    withChecks(undefined),
    'fail CHECK_UNREPORTED@101 CHECK_UNREPORTED@102',
  ],
  ['of which one is missing fail at its line', withChecks([ok]), 'fail CHECK_UNREPORTED@102'],
  ['of which one failed fail at its line', withChecks([ok, { n: 2, status: 'fail' }]), 'fail CHECK_FAILED@102'],
  ['of which one was skipped fail', withChecks([ok, { n: 2, status: 'skipped' }]), 'fail CHECK_UNREPORTED@102'],
  ['of which one was blocked block', withChecks([ok, { n: 2, status: 'blocked' }]), 'blocked AGENT_BLOCKED@102'],
  ['reported twice fail', withChecks([ok, ok, second]), 'fail CHECK_UNREPORTED@101'],
  [
    'reported by place and by line fail',
    withChecks([ok, { line: 101, status: 'pass' }, second]),
    'fail CHECK_UNREPORTED@101',
  ],
  ['with an unknown place fail', withChecks([ok, second, { n: 3, status: 'pass' }]), 'fail CHECK_UNREPORTED@10'],
  ['with neither place nor line fail', withChecks([ok, second, { status: 'pass' }]), 'fail CHECK_UNREPORTED@10'],
  [
    'whose place and line do not fit fail',
    withChecks([ok, { n: 2, line: 101, status: 'pass' }]),
    'fail CHECK_UNREPORTED@102 CHECK_UNREPORTED@10',
  ],
  [
    'that come after a failure need no report',
    withChecks([{ n: 1, status: 'fail' }], 'fail'),
    'fail STEP_FAILED@10 CHECK_FAILED@101',
  ],
])

const missing = (more: Parameters<typeof agent>[1] = {}): ScenarioEvidence =>
  scenario(two, { agent: agentBut({ reading: noLog, ...more }) })
const error = (cause: 'auth' | 'budget' | 'other') => ({ errors: [{ cause, message: 'It said so.' }] })
const ended = (ending: NonNullable<Parameters<typeof agent>[1]>['ending'] & object): ScenarioEvidence =>
  scenario(two, { agent: agentBut({ ending }) })
table('an agent that did not finish', [
  ['was never started', two, undefined, 'blocked AGENT_CRASHED@10 | skip 2'],
  [
    'was not found',
    ended({ kind: 'not-ready', code: 'AGENT_NOT_FOUND', message: 'No `claude` on PATH.' }),
    'blocked AGENT_NOT_FOUND@10 | skip 2',
  ],
  ['ran out of time', ended({ kind: 'hard-timeout', limitMs: 1 }), 'blocked AGENT_TIMEOUT@10 | skip 2'],
  [
    'is over budget',
    ended({ kind: 'stopped', code: 'AGENT_BUDGET', message: 'm' }),
    'blocked AGENT_BUDGET@10 | skip 2',
  ],
  ['fell silent', ended({ kind: 'silence-timeout', limitMs: 1 }), 'blocked AGENT_SILENT@10 | skip 2'],
  ['was canceled', ended({ kind: 'canceled' }), 'blocked AGENT_CRASHED@10 | skip 2'],
  ['was killed after a valid log', ended({ kind: 'killed', signal: 'SIGTERM' }), 'pass | pass'],
  ['ended with a code after a valid log', ended({ kind: 'exited', exitCode: 1 }), 'pass | pass'],
  [
    'was killed without a log',
    missing({ ending: { kind: 'killed', signal: 'SIGKILL' } }),
    'blocked AGENT_CRASHED@10 | skip 2',
  ],
  ...[129, 143, 159].map(
    (exitCode) =>
      [
        `handled its signal and ended with ${exitCode} without a log`,
        missing({ ending: { kind: 'exited', exitCode } }),
        'blocked AGENT_CRASHED@10 | skip 2',
      ] as const, // a tuple
  ),
  ...[1, 128, 160, 255].map(
    (exitCode) =>
      [
        `ended with ${exitCode} without a log`,
        missing({ ending: { kind: 'exited', exitCode } }),
        'fail LOG_MISSING@10 | skip 2',
      ] as const, // a tuple
  ),
  ['had no access', missing(error('auth')), 'blocked AGENT_AUTH@10 | skip 2'],
  ['was over budget', missing(error('budget')), 'blocked AGENT_BUDGET@10 | skip 2'],
  ['met another error', missing(error('other')), 'blocked AGENT_CRASHED@10 | skip 2'],
  ['met an error and wrote a valid log', one, agentBut(error('auth')), 'pass'],
  [
    'met an error and left a bad log',
    one,
    agentBut({ ...error('auth'), reading: { ok: false, code: 'LOG_INVALID_YAML', message: '' } }),
    'fail LOG_INVALID_YAML@10',
  ],
])

const denials = [{ what: 'npm test', rule: 'Bash(npm *)' }]
const denied = (log: Parameters<typeof agent>[0], more: Parameters<typeof agent>[1] = {}) =>
  agent(log, { denials, ...more })
table('an agent that was denied something', [
  ['passes all the same', one, denied({ status: 'pass' }), 'pass'],
  ['is blocked where it failed', one, denied({ status: 'fail' }), 'blocked AGENT_DENIED@10 STEP_FAILED@10'],
  ['is blocked without a log', missing({ denials }), 'blocked AGENT_DENIED@10 LOG_MISSING@10 | skip 2'],
  [
    'is blocked where it says so',
    one,
    denied({ status: 'fail', steps: [entry('1-s', 'blocked')] }),
    'blocked AGENT_DENIED@10 AGENT_BLOCKED@10',
  ],
  [
    'fails where a block failed',
    [stepWith(1, block('verify', 'fail'))],
    denied({ status: 'fail' }),
    'fail VERIFY_FAILED@77 STEP_FAILED@10',
  ],
  [
    'fails where it changed the spec',
    one,
    denied({ status: 'fail' }, { modifiedSpecFiles: ['/x.test.md'] }),
    'fail STEP_FAILED@10 SPEC_MODIFIED@10',
  ],
  [
    'fails with a bad log',
    one,
    denied(undefined, { reading: { ok: false, code: 'LOG_INVALID_STATUS', message: '' } }),
    'fail LOG_INVALID_STATUS@10',
  ],
])

const failing = (role: 'run' | 'verify' | 'file', status: 'fail' | 'timeout' = 'fail'): ScenarioEvidence =>
  scenario([stepWith(1, block('run'), block(role, status)), step(2)], { agent: agent() })
table('blocks', [
  ['a verify that failed decides', failing('verify'), 'fail VERIFY_FAILED@77 | skip 2'],
  ['a run that failed decides', failing('run'), 'fail RUN_FAILED@77 | skip 2'],
  ['a file that could not be written decides', failing('file'), 'fail RUN_FAILED@77 | skip 2'],
  ['a verify that took too long decides', failing('verify', 'timeout'), 'fail BLOCK_TIMEOUT@77 | skip 2'],
  [
    'a verify that failed decides over an agent that ran out of time',
    [stepWith(1, block('verify', 'fail'))],
    agentBut({ ending: { kind: 'hard-timeout', limitMs: 1 } }),
    'fail VERIFY_FAILED@77 AGENT_TIMEOUT@10',
  ],
  ['a verify that passed verifies', [stepWith(1, block('verify'))], agent(), 'pass verified'],
  ['a run before the agent verifies nothing', [stepWith(1, block('run'))], agent(), 'pass'],
  [
    'a verify that passed does not make up for a missing log',
    [stepWith(1, block('verify'))],
    agentBut({ reading: noLog }),
    'fail LOG_MISSING@10',
  ],
  ['a planned verify that never ran is no pass', [step(1, { plannedBlocks: 1 })], agent(), 'fail RUN_FAILED@10'],
  [
    'a planned verify that never ran is no failure of its own after a blocked agent',
    [step(1, { plannedBlocks: 1 })],
    agentBut({ ending: { kind: 'canceled' } }),
    'blocked AGENT_CRASHED@10',
  ],
  [
    'a step of code passes by its blocks',
    [codeStep(1, block('run')), codeStep(2, block('verify'))],
    undefined,
    'pass verified | pass verified',
  ],
  ['a step of code that only wrote a file rests on no claim', [codeStep(1, block('file'))], undefined, 'pass verified'],
  [
    'a step of code of which no block ran is no pass',
    [codeStep(1), codeStep(2, block('run'))],
    undefined,
    'fail RUN_FAILED@10 | skip 2',
  ],
])

table('steps that are not judged', [
  [
    'a failed step stops nothing where the scenario continues, unless it took too long',
    [codeStep(1, block('run', 'fail')), codeStep(2, block('run', 'timeout')), codeStep(3)],
    { continuesAfterFailure: true },
    'fail RUN_FAILED@77 | fail BLOCK_TIMEOUT@77 | skip 3',
  ],
  ['a todo is skipped and stops nothing', [step(1, { actor: 'todo' }), step(2)], agent(), 'skipped | pass'],
  [
    'a todo after a failure is still a todo',
    [step(1), step(2, { actor: 'todo' })],
    undefined,
    'blocked AGENT_CRASHED@10 | skipped',
  ],
  ['no steps give no verdicts', [], { setup: [block('run', 'fail')], teardown: [block('run', 'fail')] }, ''],
])

const bad = [block('run', 'fail')]
table('set-up and tear-down', [
  ['a failed set-up fails the first step', three, { setup: bad }, 'fail SETUP_FAILED@77 | skip 2 | skip 3'],
  [
    'a set-up that took too long fails the first step',
    one,
    { setup: [block('run', 'timeout')] },
    'fail SETUP_FAILED@77',
  ],
  [
    'a failed set-up fails the first step to be settled',
    [step(1, { actor: 'todo' }), leftOut, codeStep(3), step(4)],
    { setup: bad },
    'skipped | skipped | fail SETUP_FAILED@77 | skip 4',
  ],
  [
    'a failed set-up shows even without a step to be settled',
    [step(1, { actor: 'todo' })],
    { setup: bad },
    'fail SETUP_FAILED@77',
  ],
  ['a failed tear-down fails the last step', two, { agent: agent(), teardown: bad }, 'pass | fail TEARDOWN_FAILED@77'],
  [
    'a failed tear-down comes after the step’s own failure',
    one,
    { agent: agent({ status: 'fail' }), teardown: bad },
    'fail STEP_FAILED@10 TEARDOWN_FAILED@77',
  ],
  [
    'a failed tear-down comes before what blocked or skipped the step',
    two,
    { agent: list('fail', '1-s fail', '2-s'), teardown: bad },
    'fail STEP_FAILED@10 | fail TEARDOWN_FAILED@77 PREDECESSOR_FAILED@20',
  ],
  [
    'a failed tear-down fails the last step to be settled',
    [step(1), step(2, { actor: 'todo' })],
    { agent: agent(), teardown: bad },
    'fail TEARDOWN_FAILED@77 | skipped',
  ],
  ['both that pass leave a pass', one, { agent: agent(), setup: [block('run')], teardown: [block('run')] }, 'pass'],
])

const tampered = (log: Parameters<typeof agent>[0]) => agent(log, { modifiedSpecFiles: ['/x.test.md'] })
table('a spec that changed', [
  ['fails each step of the agent', two, tampered({ status: 'pass' }), 'fail SPEC_MODIFIED@10 | skip 2'],
  [
    'leaves steps of code alone',
    [codeStep(1, block('run')), step(2)],
    tampered({ status: 'pass' }),
    'pass verified | fail SPEC_MODIFIED@20',
  ],
])

const asked = block('run', 'skipped')
table('a block that asks for a skip', [
  ['skips all steps in the set-up', [step(1), codeStep(2)], { setup: [asked] }, 'asked | asked'],
  [
    'skips its step and those after it; what passed stays passed',
    [codeStep(1, block('run')), codeStep(2, block('run'), asked), codeStep(3), step(4)],
    undefined,
    'pass verified | asked | asked | asked',
  ],
  ['skips from a `verify` block, too', [codeStep(1, block('verify', 'skipped'))], undefined, 'asked'],
  ['leaves a todo as it is', [step(1, { actor: 'todo' }), codeStep(2)], { setup: [asked] }, 'skipped | asked'],
  [
    'does not hide a block that failed',
    [codeStep(1, block('run', 'fail'), asked), codeStep(2)],
    undefined,
    'fail RUN_FAILED@77 | skip 2',
  ],
  [
    'does not hide a set-up that failed',
    [codeStep(1)],
    { setup: [asked, block('run', 'fail')] },
    'fail SETUP_FAILED@77',
  ],
  [
    'does not hide a tear-down that failed',
    [codeStep(1, asked), codeStep(2)],
    { teardown: [block('run', 'timeout')] },
    'asked | fail TEARDOWN_FAILED@77 SKIPPED_BY_BLOCK@77',
  ],
  ['is a failure in a tear-down', [codeStep(1, block('run'))], { teardown: [asked] }, 'fail TEARDOWN_FAILED@77'],
  [
    'is a failure once the agent has worked',
    [step(1), codeStep(2, block('verify', 'skipped'))],
    pass('1-s'),
    'pass | fail VERIFY_FAILED@77',
  ],
  [
    'is a failure in the step of the agent',
    [stepWith(1, block('verify', 'skipped'))],
    pass('1-s'),
    'fail VERIFY_FAILED@77',
  ],
  ['is a failure in a retry', [codeStep(1)], { setup: [asked], isRetry: true }, 'fail SETUP_FAILED@77'],
  ['is a failure in a step of a retry', [codeStep(1, asked)], { isRetry: true }, 'fail RUN_FAILED@77'],
])

describe('messages', () => {
  const firstMessage = (evidence: ScenarioEvidence): string => evaluateScenario(evidence)[0]?.reasons[0]?.message ?? ''

  test.for([
    [scenario(one, { agent: denied({ status: 'fail' }) }), 'allow: ["Bash(npm *)"]'],
    [scenario(one, { agent: denied({ status: 'fail' }) }), '`npm test`'],
    [missing({ ending: { kind: 'exited', exitCode: 3 }, tail: 'boom\n' }), 'exit code 3 and wrote no result log'],
    [missing({ tail: 'boom\n' }), 'Its last output: boom'],
    [missing({ tail: `${'x'.repeat(500)}\nboom\n` }), 'The end of its output: boom'],
    [missing(error('auth')), 'not a failure of the product'],
    [ended({ kind: 'canceled' }), 'canceled'],
    [
      scenario(one, { agent: agent({ status: 'fail', steps: [entry('1-s', 'fail', { observed: 'badge shows 0' })] }) }),
      'badge shows 0',
    ],
    [scenario(one, { agent: pass('1-s', '9-x') }), 'It has `1-s`'],
    [failing('verify'), 'verify fail'],
  ] as const)('%# say what was observed and what to do', ([evidence, part]) => {
    expect(firstMessage(evidence)).toContain(part)
  })

  test('of skipped steps name what stopped them', () => {
    const reasonsOf = (evidence: ScenarioEvidence) => evaluateScenario(evidence)[1]?.reasons[0]?.message
    expect(reasonsOf(scenario(two, { setup: bad }))).toContain('the set-up failed')
    expect(reasonsOf(scenario(two))).toContain('step "s1" was blocked')
    expect(reasonsOf(failing('run'))).toContain('step "s1" failed')
  })
})

test('what the agent saw is kept where the log may speak', () => {
  const steps = [entry('1-s', 'pass', { observed: 'badge shows 1' })]
  expect(evaluateScenario(scenario(one, { agent: agent({ status: 'pass', steps }) }))[0]?.observed).toBe(
    'badge shows 1',
  )
  const other = agent({ status: 'pass', run: 'run-2', steps })
  expect(evaluateScenario(scenario(one, { agent: other }))[0]?.observed).toBeUndefined()
})
