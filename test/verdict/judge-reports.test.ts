import { expect, test } from 'vitest'
import type { StepReport } from '../../src/records/result-log/result-log.ts'
import { evaluateScenario } from '../../src/verdict/evaluate-scenario.ts'
import type { AgentEvidence, ScenarioEvidence } from '../../src/verdict/verdict.ts'
import { table } from './verdict-table.ts'
import {
  agent,
  agentBut,
  block,
  check,
  codeStep,
  entry,
  noLog,
  report,
  scenario,
  short,
  startedAtMs,
  step,
  stepWith,
  one,
  two,
  three,
} from './evidence.ts'

const working = { kind: 'working' } as const

/** An agent that reported and left no log of its own. */
const reporting = (reports: readonly StepReport[], more: Partial<AgentEvidence> = {}): AgentEvidence =>
  agentBut({ reading: noLog, reports, ...more })
const both = [report('1-s'), report('2-s')]
const seen = [
  { step: '1-s', activity: true },
  { step: '2-s', activity: true },
] as const // steps and activities

table('somebody else', [
  [
    'reports a step in the place of the agent',
    two,
    reporting(both, { journal: seen, unseenReports: ['2-s'] }),
    'pass observed | fail STEP_UNREPORTED@20',
  ],
  [
    'reports it and kills the agent',
    two,
    reporting(both, { journal: seen, unseenReports: ['2-s'], ending: { kind: 'killed', signal: 'SIGKILL' } }),
    'pass observed | blocked AGENT_CRASHED@20',
  ],
  [
    'kills the agent before anything could be seen of it, and reports for it',
    two,
    reporting(both, { ending: { kind: 'killed', signal: 'SIGKILL' } }),
    'blocked AGENT_CRASHED@10 | skip 2',
  ],
  [
    'kills an agent that was seen, and writes its log',
    two,
    agent(
      { status: 'pass', steps: [entry('1-s'), entry('2-s')] },
      { journal: seen, ending: { kind: 'killed', signal: 'SIGKILL' } },
    ),
    'blocked AGENT_CRASHED@10 | skip 2',
  ],
  [
    'ends it once it is done: mdtest itself',
    two,
    reporting(both, { ending: { kind: 'killed', signal: 'SIGTERM', isOurs: true } }),
    'pass | pass',
  ],
])

table('reports', [
  ['of every step pass without a log', two, reporting(both), 'pass | pass'],
  ['that fail fail', three, reporting([report('1-s'), report('2-s', 'fail')]), 'pass | fail STEP_FAILED@20 | skip 3'],
  ['that were blocked block', two, reporting([report('1-s', 'blocked')]), 'blocked AGENT_BLOCKED@10 | skip 2'],
  ['that leave a step out fail it', two, reporting([report('1-s')]), 'pass | fail STEP_UNREPORTED@20'],
  ['of one step twice fail it', one, reporting([report('1-s', 'fail'), report('1-s')]), 'fail STEP_UNKNOWN@10'],
  ['of an unknown step fail the last step', one, reporting([report('1-s'), report('9-x')]), 'fail STEP_UNKNOWN@10'],
  [
    'lack no check of a step that passed',
    [step(1, { checks: [check(1)] })],
    reporting([report('1-s')]),
    'fail CHECK_UNREPORTED@101',
  ],
  [
    'do not make up for a block that failed',
    [stepWith(1, block('verify', 'fail'))],
    reporting([report('1-s')]),
    'fail VERIFY_FAILED@77',
  ],
  [
    'leave steps of code to their blocks',
    [codeStep(1, block('run')), step(2)],
    reporting([report('2-s')]),
    'pass verified | pass',
  ],
])

table('an agent that still works', [
  [
    'lets a step with a report pass, and no other',
    two,
    reporting([report('1-s')], { ending: working }),
    'pass | blocked AGENT_CRASHED@20',
  ],
  ['lets a report fail', two, reporting([report('1-s', 'fail')], { ending: working }), 'fail STEP_FAILED@10 | skip 2'],
  ['lets the last report speak too', one, reporting([report('1-s')], { ending: working }), 'pass'],
  [
    'is not judged by its log, half written or whole',
    one,
    agent({ status: 'pass' }, { ending: working }),
    'blocked AGENT_CRASHED@10',
  ],
  [
    'is not judged by a log beside its reports',
    one,
    agent({ status: 'fail' }, { reports: [report('1-s')], ending: working }),
    'pass',
  ],
])

const early = (more: Partial<AgentEvidence>): ScenarioEvidence =>
  scenario(two, { agent: reporting([report('1-s')], more) })
const error = (cause: AgentEvidence['errors'][number]['cause']) => ({ errors: [{ cause, message: 'It said so.' }] })
const timeout = { kind: 'hard-timeout', limitMs: 1 } as const
table('an agent that ended before its last report', [
  ['by its time limit', early({ ending: timeout }), 'pass | blocked AGENT_TIMEOUT@20'],
  [
    'by its silence limit',
    early({ ending: { kind: 'silence-timeout', limitMs: 1 } }),
    'pass | blocked AGENT_SILENT@20',
  ],
  ['by being canceled', early({ ending: { kind: 'canceled' } }), 'pass | blocked AGENT_CRASHED@20'],
  ['by no access', early(error('auth')), 'pass | blocked AGENT_AUTH@20'],
  ['by its budget', early(error('budget')), 'pass | blocked AGENT_BUDGET@20'],
  ['by losing the report server', early(error('mcp')), 'pass | blocked MCP_UNAVAILABLE@20'],
  ['by losing its browser', early(error('browser')), 'pass | blocked BROWSER_UNAVAILABLE@20'],
  ['by losing its model', early(error('model')), 'pass | blocked MODEL_UNAVAILABLE@20'],
  ['by an error', early(error('other')), 'pass | blocked AGENT_CRASHED@20'],
  [
    'by a signal',
    early({ ending: { kind: 'killed', signal: 'SIGKILL' }, journal: seen }),
    'pass observed | blocked AGENT_CRASHED@20',
  ],
  [
    'by a refused tool call',
    early({ denials: [{ what: 'npm test' }] }),
    'pass | blocked AGENT_DENIED@20 STEP_UNREPORTED@20',
  ],
  [
    'though it was never found, which cannot be',
    early({ ending: { kind: 'not-ready', code: 'AGENT_NOT_FOUND', message: 'm' } }),
    'blocked AGENT_NOT_FOUND@10 | skip 2',
  ],
])

table('an agent that ended after its last report', [
  [
    'by its time limit leaves the last step unfinished',
    two,
    reporting(both, { ending: timeout }),
    'pass | blocked AGENT_TIMEOUT@20',
  ],
  [
    'by a signal passes where it was seen to report',
    two,
    reporting(both, { ending: { kind: 'killed', signal: 'SIGKILL' }, journal: seen }),
    'pass observed | pass observed',
  ],
  ['after an error passes', one, reporting([report('1-s')], error('other')), 'pass'],
])

test('a log of the agent beside its reports counts for nothing', () => {
  const logs: readonly Partial<AgentEvidence>[] = [
    { reading: { ok: true, log: { status: 'fail' }, body: '', modifiedAtMs: startedAtMs } },
    { reading: { ok: true, log: { status: 'pass', run: 'run-2' }, body: '', modifiedAtMs: startedAtMs - 5_000 } },
    { reading: { ok: false, code: 'LOG_INVALID_STATUS', message: 'm' } },
  ]
  const verdicts = (reports: readonly StepReport[]): readonly (readonly string[])[] =>
    logs.map((more) => evaluateScenario(scenario(one, { agent: reporting(reports, more) })).map(short))
  expect(verdicts([report('1-s')])).toEqual(logs.map(() => ['pass claimed']))
  expect(verdicts([report('1-s', 'fail')])).toEqual(logs.map(() => ['fail STEP_FAILED@10']))
})

test('without reports a log that says mdtest wrote it is judged like any other', () => {
  const forged = agent({ status: 'fail', run: 'run-1', 'written-by': 'mdtest' })
  expect(evaluateScenario(scenario(one, { agent: forged })).map(short)).toEqual(['fail STEP_FAILED@10'])
})

test('what the agent saw is taken from its report', () => {
  const reports = [report('1-s', 'pass', { observed: 'badge shows 1' })]
  expect(evaluateScenario(scenario(one, { agent: reporting(reports) }))[0]?.observed).toBe('badge shows 1')
})
