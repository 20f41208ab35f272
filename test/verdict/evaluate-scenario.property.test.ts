import fc from '../support/fast-check.ts'
import { describe, expect, test } from 'vitest'
import type { CheckResult, ResultLog, StepResult } from '../../src/records/result-log/result-log.ts'
import type { BlockOutcome } from '../../src/records/block-outcome.ts'
import { evaluateScenario } from '../../src/verdict/evaluate-scenario.ts'
import type { AgentEvidence, ScenarioEvidence, StepEvidence } from '../../src/verdict/verdict.ts'
import { check, startedAtMs } from './evidence.ts'

/** Mostly the good value, so that many scenarios pass and a broken rule shows. */
const mostly = <T>(good: T, ...bad: readonly T[]): fc.Arbitrary<T> =>
  fc.oneof({ weight: 8, arbitrary: fc.constant(good) }, { weight: 1, arbitrary: fc.constantFrom(good, ...bad) })

const blocks = fc.array(
  fc.record<BlockOutcome>({
    role: fc.constantFrom('run', 'verify', 'file'),
    status: mostly<BlockOutcome['status']>('pass', 'fail', 'timeout', 'skipped'),
    message: fc.constant('m'),
    line: fc.constant(77),
  }),
  { maxLength: 2 },
)

const steps = fc
  .array(
    fc.record({
      actor: mostly<StepEvidence['actor']>('agent', 'code', 'todo'),
      isAsked: mostly(true, false),
      checkCount: mostly(0, 1, 2),
      blocks,
    }),
    { maxLength: 4 },
  )
  .map((all) =>
    all.map(({ actor, isAsked, checkCount, blocks }, index): StepEvidence => {
      const checks = Array.from({ length: checkCount }, (_, n) => check(n + 1))
      return { id: `${index + 1}-s`, title: `s${index + 1}`, line: index * 10, actor, isAsked, checks, blocks }
    }),
  )

const status = mostly<StepResult['status']>('pass', 'fail', 'blocked', 'skipped')
const checkResult = fc.record<CheckResult>({ n: fc.integer({ min: 1, max: 3 }), status })

function entriesFor(all: readonly StepEvidence[]): fc.Arbitrary<StepResult[]> {
  const entries = all.map(({ id, checks }) =>
    fc.record<StepResult>({
      id: mostly(id, '1-s', '9-x'),
      status,
      checks: fc.oneof(fc.constant(checks.map(({ n }) => ({ n, status: 'pass' as const }))), fc.array(checkResult)),
    }),
  )
  return fc.tuple(...entries).chain((list) => fc.oneof(fc.constant(list), fc.subarray(list)))
}

function logFor(all: readonly StepEvidence[]): fc.Arbitrary<ResultLog> {
  const base = { status: mostly<ResultLog['status']>('pass', 'fail'), run: mostly('run-1', 'run-2') }
  return fc.oneof(fc.record<ResultLog>(base), fc.record<ResultLog>({ ...base, steps: entriesFor(all) }))
}

const badReading = fc
  .constantFrom('LOG_MISSING', 'LOG_NO_FRONT_MATTER', 'LOG_INVALID_YAML', 'LOG_UNREADABLE')
  .map((code) => ({ ok: false, code, message: 'm' }) as const)

const ending = mostly<AgentEvidence['ending']>(
  { kind: 'exited', exitCode: 0 },
  { kind: 'exited', exitCode: 1 },
  { kind: 'killed', signal: 'SIGTERM' },
  { kind: 'hard-timeout', limitMs: 1 },
  { kind: 'silence-timeout', limitMs: 1 },
  { kind: 'canceled' },
  { kind: 'not-found', message: 'm' },
  { kind: 'not-ready', code: 'LOGIN_FAILED', message: 'm' },
  { kind: 'over-budget', message: 'm' },
)

function agentFor(all: readonly StepEvidence[]): fc.Arbitrary<AgentEvidence> {
  const good = fc.record({
    ok: fc.constant(true as const),
    log: logFor(all),
    body: fc.constant(''),
    modifiedAtMs: mostly(startedAtMs, startedAtMs - 60_000),
  })
  return fc.record<AgentEvidence>({
    name: fc.constant('claude'),
    ending,
    errors: mostly<AgentEvidence['errors']>([], [{ cause: 'auth', message: 'm' }]),
    denials: mostly<AgentEvidence['denials']>([], [{ what: 'npm test' }]),
    reading: fc.oneof({ weight: 8, arbitrary: good }, { weight: 1, arbitrary: badReading }),
    runId: fc.constant('run-1'),
    startedAtMs: fc.constant(startedAtMs),
    modifiedSpecFiles: mostly<readonly string[]>([], ['/x.test.md']),
    tail: fc.constant(''),
  })
}

const scenario = steps.chain((all) =>
  fc.record<ScenarioEvidence, 'steps' | 'setup' | 'teardown'>(
    { steps: fc.constant(all), setup: blocks, teardown: blocks, agent: agentFor(all) },
    { requiredKeys: ['steps', 'setup', 'teardown'] },
  ),
)

type Worsen = (evidence: ScenarioEvidence, pick: number) => ScenarioEvidence

function mapAt<T>(list: readonly T[], pick: number, change: (item: T) => T): T[] {
  return list.map((item, index) => (index === pick % list.length ? change(item) : item))
}

const spoil = (block: BlockOutcome): BlockOutcome => ({ ...block, status: 'fail' })
const ofAgent = (change: (agent: AgentEvidence) => AgentEvidence): Worsen => {
  return ({ agent, ...rest }) => (agent === undefined ? rest : { ...rest, agent: change(agent) })
}
const ofLog = (change: (log: ResultLog, pick: number) => ResultLog): Worsen => {
  return (evidence, pick) =>
    ofAgent((agent) =>
      agent.reading.ok ? { ...agent, reading: { ...agent.reading, log: change(agent.reading.log, pick) } } : agent,
    )(evidence, pick)
}
const ofEntries = (change: (entries: readonly StepResult[], pick: number) => StepResult[]): Worsen =>
  ofLog((log, pick) => (log.steps === undefined ? log : { ...log, steps: change(log.steps, pick) }))
const inStep = (change: (step: StepEvidence) => StepEvidence): Worsen => {
  return (evidence, pick) => ({ ...evidence, steps: mapAt(evidence.steps, pick, change) })
}

const worsenings: Readonly<Record<string, Worsen>> = {
  'a block fails': inStep((step) => ({ ...step, blocks: mapAt(step.blocks, 0, spoil) })),
  'a failed block more': inStep((step) => ({ ...step, blocks: [...step.blocks, failed] })),
  'blocks that passed did not run': inStep((step) => ({ ...step, blocks: step.blocks.filter(isFailed) })),
  'more blocks were planned': inStep((step) => ({ ...step, plannedBlocks: step.blocks.length + 1 })),
  'a check more': inStep((step) => ({ ...step, checks: [...step.checks, check(7)] })),
  'the set-up fails': (evidence) => ({ ...evidence, setup: [...evidence.setup, failed] }),
  'the tear-down fails': (evidence) => ({ ...evidence, teardown: [...evidence.teardown, failed] }),
  'no agent': ({ steps, setup, teardown }) => ({ steps, setup, teardown }),
  'the agent runs out of time': ofAgent((agent) => ({ ...agent, ending: { kind: 'hard-timeout', limitMs: 1 } })),
  'the agent is canceled': ofAgent((agent) => ({ ...agent, ending: { kind: 'canceled' } })),
  'the agent is denied': ofAgent((agent) => ({ ...agent, denials: [{ what: 'x' }] })),
  'the agent has no access': ofAgent((agent) => ({ ...agent, errors: [{ cause: 'auth', message: 'm' }] })),
  'the spec changes': ofAgent((agent) => ({ ...agent, modifiedSpecFiles: ['/x.test.md'] })),
  'the log is missing': ofAgent((agent) => ({ ...agent, reading: { ok: false, code: 'LOG_MISSING', message: 'm' } })),
  'the log is stale': ofAgent((agent) => ({ ...agent, startedAtMs: startedAtMs + 60_000 })),
  'the log is of another run': ofLog((log) => ({ ...log, run: 'run-2' })),
  'the log fails': ofLog((log) => ({ ...log, status: 'fail' })),
  'an entry fails': ofEntries((entries, pick) => mapAt(entries, pick, (one) => ({ ...one, status: 'fail' }))),
  'an entry is blocked': ofEntries((list, pick) =>
    mapAt(list, pick, (one) => (one.status === 'pass' ? { ...one, status: 'blocked' } : one)),
  ),
  'a passed entry is gone': ofEntries((entries, pick) =>
    entries.filter((one, index) => index !== pick % entries.length || one.status !== 'pass' || isTwice(one, entries)),
  ),
  'an entry twice': ofEntries((entries) => [...entries, ...entries.slice(0, 1)]),
  'an unknown entry': ofEntries((entries) => [...entries, { id: '99-x', status: 'pass' }]),
}
const isFailed = (block: BlockOutcome): boolean => block.status !== 'pass'
const failed: BlockOutcome = { role: 'verify', status: 'fail', message: 'm', line: 77 }
const isTwice = (entry: StepResult, all: readonly StepResult[]): boolean =>
  all.filter((one) => one.id === entry.id).length > 1 || entry.id === '9-x' || (entry.checks ?? []).some(isNoPass)
const isNoPass = (result: CheckResult): boolean => result.status !== 'pass'

describe('any evidence', () => {
  test('gives one verdict for each step, with reasons where there is no pass', () => {
    fc.assert(
      fc.property(scenario, (evidence) => {
        const verdicts = evaluateScenario(evidence)
        expect(verdicts).toHaveLength(evidence.steps.length)
        for (const { outcome, assurance, reasons } of verdicts) {
          expect(assurance === undefined).toBe(outcome !== 'pass')
          if (outcome === 'pass') expect(reasons).toEqual([])
          if (outcome === 'fail' || outcome === 'blocked') expect(reasons.length).toBeGreaterThan(0)
        }
        expect(evaluateScenario(evidence)).toEqual(verdicts)
      }),
    )
  })

  test('lets no step of the agent pass without a finished agent and a log of this run', () => {
    fc.assert(
      fc.property(scenario, (evidence) => {
        const { agent } = evidence
        const isGood =
          agent?.reading.ok === true &&
          (agent.ending.kind === 'exited' || agent.ending.kind === 'killed') &&
          agent.reading.log.run !== 'run-2' &&
          agent.reading.modifiedAtMs >= agent.startedAtMs - 2000 &&
          agent.modifiedSpecFiles.length === 0
        const isPassed = evaluateScenario(evidence).some(
          ({ outcome }, index) => outcome === 'pass' && evidence.steps[index]?.actor === 'agent',
        )
        expect(isPassed && !isGood).toBe(false)
      }),
    )
  })

  test('lets no step pass with a failed block, after a failed set-up or without its own report', () => {
    fc.assert(
      fc.property(scenario, (evidence) => {
        const list = evidence.agent?.reading.ok === true ? evidence.agent.reading.log.steps : undefined
        for (const [index, { outcome }] of evaluateScenario(evidence).entries()) {
          const { id, actor, blocks } = evidence.steps[index] ?? {}
          if (outcome !== 'pass') continue
          expect([...(blocks ?? []), ...evidence.setup].every((one) => one.status === 'pass')).toBe(true)
          const own = list?.filter((entry) => entry.id === id) ?? []
          if (list !== undefined && actor === 'agent') expect(own.map((entry) => entry.status)).toEqual(['pass'])
        }
      }),
    )
  })

  test('lets nothing pass after a step that did not', () => {
    fc.assert(
      fc.property(scenario, (evidence) => {
        const isLeftOut = (step: StepEvidence | undefined): boolean =>
          step?.actor === 'code' && !step.isAsked && step.blocks.length === 0
        const outcomes = evaluateScenario(evidence).map(({ outcome }) => outcome)
        const first = outcomes.findIndex(
          (outcome, index) => (outcome === 'fail' || outcome === 'blocked') && !isLeftOut(evidence.steps[index]),
        )
        expect(first === -1 ? [] : outcomes.slice(first)).not.toContain('pass')
      }),
    )
  })

  test('with a log that fails leaves some step of the agent without a pass', () => {
    fc.assert(
      fc.property(scenario, (evidence) => {
        const isFail = evidence.agent?.reading.ok === true && evidence.agent.reading.log.status === 'fail'
        const asked = evaluateScenario(evidence).filter(
          (_, index) => evidence.steps[index]?.actor === 'agent' && evidence.steps[index]?.isAsked,
        )
        if (isFail && asked.length > 0) expect(asked.some(({ outcome }) => outcome !== 'pass')).toBe(true)
      }),
    )
  })

  test('finds passes often enough for these properties to mean something', () => {
    const sample = fc.sample(scenario, { numRuns: 500, seed: 1 })
    const verdicts = sample.flatMap((evidence) => evaluateScenario(evidence))
    expect(verdicts.filter(({ outcome }) => outcome === 'pass').length).toBeGreaterThan(100)
  })
})

describe('worse evidence never turns a step into a pass', () => {
  test.for(Object.entries(worsenings))('%s', ([, worsen]) => {
    fc.assert(
      fc.property(scenario, fc.nat(20), (evidence, pick) => {
        const before = evaluateScenario(evidence)
        const after = evaluateScenario(worsen(evidence, pick))
        for (const [index, { outcome }] of after.entries()) {
          if (outcome === 'pass') expect(before[index]?.outcome).toBe('pass')
        }
      }),
    )
  })
})
