import fc from '../support/fast-check.ts'
import { describe, expect, test } from 'vitest'
import type { StepReport } from '../../src/records/result-log/result-log.ts'
import { evaluateScenario } from '../../src/verdict/evaluate-scenario.ts'
import { ruleNames } from './rule-names.ts'
import type {
  AgentEvidence,
  Citation,
  EvidencePolicy,
  ModifiedSource,
  ScenarioEvidence,
  ObservedCall,
  StepEvidence,
} from '../../src/verdict/verdict.ts'
import { agent, block, check, entry, noLog, report, scenario, startedAtMs, step } from './evidence.ts'

const mostly = <T>(good: T, ...bad: readonly T[]): fc.Arbitrary<T> =>
  fc.oneof({ weight: 8, arbitrary: fc.constant(good) }, { weight: 1, arbitrary: fc.constantFrom(good, ...bad) })

const ids = ['1-s', '2-s', '3-s'] as const
const steps = fc.tuple(...ids.map((_, index) => stepAt(index + 1)))

function stepAt(ordinal: number): fc.Arbitrary<StepEvidence> {
  return fc
    .record({
      actor: mostly<StepEvidence['actor']>('agent', 'code'),
      count: mostly(0, 1, 2),
      isVerified: fc.boolean(),
      isReplayed: fc.boolean(),
    })
    .map(({ actor, count, isVerified, isReplayed }) =>
      step(ordinal, {
        actor,
        checks: Array.from({ length: count }, (_, index) => check(index + 1)),
        blocks: blocksOf({ actor, isVerified, isReplayed }),
        ...(actor === 'code' && isReplayed && { replay: 'current' as const }),
      }),
    )
}

/** A replay runs blocks of its recording, and `verify` blocks behind them. */
function blocksOf({ actor, isVerified, isReplayed }: StepShape): StepEvidence['blocks'] {
  if (actor !== 'code') return isVerified ? [block('verify')] : []
  return isReplayed && !isVerified ? [block('run')] : [block('verify')]
}

interface StepShape extends Pick<StepEvidence, 'actor'> {
  readonly isVerified: boolean
  readonly isReplayed: boolean
}

const status = mostly<StepReport['status']>('pass', 'fail', 'blocked', 'skipped')
const reportFor = ({ id, checks }: StepEvidence): fc.Arbitrary<StepReport> =>
  status.map((one) => report(id, one, { checks: checks.map(({ n }) => ({ n, status: 'pass' })) }))
/** Of the agent's own steps: the report server refuses any other. */
const reportsFor = (all: readonly StepEvidence[]): fc.Arbitrary<readonly StepReport[]> => {
  const list = fc.tuple(...all.filter(({ actor }) => actor === 'agent').map(reportFor))
  return list.chain((reports) => fc.oneof(fc.constant(reports), fc.constant([]), fc.subarray(reports)))
}

const observedCall = fc.record<ObservedCall>({
  step: fc.constantFrom(...ids, null),
  activity: mostly(true, false),
  denied: mostly(false, true),
})
const seenEverywhere: readonly ObservedCall[] = ids.map((id) => ({ step: id, activity: true }))
const journal = fc.oneof(fc.constant(seenEverywhere), fc.array(observedCall, { maxLength: 4 }))
const citation = fc.record<Citation, 'stepId' | 'kind' | 'what' | 'found'>(
  {
    stepId: fc.constantFrom(...ids),
    check: fc.constantFrom(1, 2),
    kind: fc.constantFrom('file', 'quote'),
    what: fc.constant('w'),
    found: mostly(true, false),
    isEarlier: fc.boolean(),
  },
  { requiredKeys: ['stepId', 'kind', 'what', 'found'] },
)
const ending = mostly<AgentEvidence['ending']>(
  { kind: 'exited', exitCode: 0 },
  { kind: 'working' },
  { kind: 'hard-timeout', limitMs: 1 },
  { kind: 'over-budget', message: 'm' },
  { kind: 'killed', signal: 'SIGKILL' },
)
const assurances = ['claimed', 'observed', 'evidenced', 'witnessed', 'reproduced', 'verified'] as const
const policies = ['off', 'auto', 'require'] as const
const policy = fc.record<EvidencePolicy>({
  evidence: fc.constantFrom(...policies),
  minAssurance: mostly(...assurances),
})

const readingFor = (all: readonly StepEvidence[]): fc.Arbitrary<AgentEvidence['reading']> => {
  const listed = all.map(({ id, checks }) =>
    entry(id, 'pass', { checks: checks.map(({ n }) => ({ n, status: 'pass' as const })) }),
  )
  const log = fc.record({
    status: mostly<'pass' | 'fail'>('pass', 'fail'),
    run: mostly('run-1', 'run-2'),
    steps: fc.constant(listed),
  })
  const good = log.map((one) => ({ ok: true as const, log: one, body: '', modifiedAtMs: startedAtMs }))
  return fc.oneof(good, fc.constant(noLog))
}

const agentFor = (all: readonly StepEvidence[]): fc.Arbitrary<AgentEvidence> =>
  fc
    .record(
      {
        ending,
        reports: reportsFor(all),
        reading: readingFor(all),
        journal,
        citations: fc.array(citation, { maxLength: 3 }),
        modifiedSources: mostly<readonly ModifiedSource[]>([], [{ file: 'cart.ts' }]),
        hands: fc.constant({ sandbox: 'none' as const }),
      },
      { requiredKeys: ['ending', 'reports', 'reading', 'citations', 'modifiedSources'] },
    )
    .map((more) => agent(undefined, more))

const anyScenario: fc.Arbitrary<ScenarioEvidence> = steps.chain((all) =>
  fc.record({ agent: agentFor(all), policy }).map((more) => scenario(all, more)),
)

const outcomesOf = (evidence: ScenarioEvidence): readonly string[] =>
  evaluateScenario(evidence).map(({ outcome }) => outcome)

function expectNoNewPass(before: ScenarioEvidence, after: ScenarioEvidence): void {
  const was = outcomesOf(before)
  for (const [index, outcome] of outcomesOf(after).entries()) if (outcome === 'pass') expect(was[index]).toBe('pass')
}

type Worsen = (agent: AgentEvidence) => AgentEvidence
const reportsWorse = (change: (reports: readonly StepReport[]) => readonly StepReport[]): Worsen => {
  return (one) => (one.reports?.length ? { ...one, reports: change(one.reports) } : one)
}
const mapJournal = (change: (all: readonly ObservedCall[]) => readonly ObservedCall[]): Worsen => {
  return ({ journal: seen, ...rest }) => ({ ...rest, ...(seen && { journal: change(seen) }) })
}
const mapCitations = (change: (one: Citation) => Citation): Worsen => {
  return (one) => ({ ...one, citations: (one.citations ?? []).map(change) })
}
const worsenings: Readonly<Record<string, Worsen>> = {
  'a report fails': reportsWorse(([first, ...rest]) => (first ? [{ ...first, status: 'fail' }, ...rest] : [])),
  'a report is blocked': reportsWorse(([first, ...rest]) => (first ? [{ ...first, status: 'blocked' }, ...rest] : [])),
  'a report twice': reportsWorse((all) => [...all, ...all.slice(0, 1)]),
  'a report of an unknown step': reportsWorse((all) => [...all, report('9-x')]),
  // All but the last one: without any the log speaks, which is another account.
  'a report is gone': reportsWorse((all) => all.slice(0, Math.max(1, all.length - 1))),
  'nothing was seen': mapJournal(() => []),
  'less was seen': mapJournal((all) => all.slice(1)),
  'what was seen was refused': mapJournal((all) => all.map((one) => ({ ...one, denied: true }))),
  'what was seen is no activity': mapJournal((all) => all.map((one) => ({ ...one, activity: false }))),
  'what was seen belongs to no step': mapJournal((all) => all.map((one) => ({ ...one, step: null }))),
  'evidence is not found': mapCitations((one) => ({ ...one, found: false })),
  'evidence is not from earlier': mapCitations((one) => ({ ...one, isEarlier: false })),
  'a source changed': (one) => ({ ...one, modifiedSources: [{ file: 'cart.ts' }] }),
  'the agent runs out of time': (one) => ({ ...one, ending: { kind: 'hard-timeout', limitMs: 1 } }),
  'the agent acted past mdtest': (one) => ({ ...one, errors: [{ cause: 'hands', message: 'm' }] }),
  'the agent lost the report server': (one) => ({ ...one, errors: [{ cause: 'mcp', message: 'm' }] }),
}

describe('worse evidence never turns a step into a pass', () => {
  test.for(Object.entries(worsenings))('%s', ([, worsen]) => {
    fc.assert(
      fc.property(anyScenario, (evidence) => {
        if (evidence.agent) expectNoNewPass(evidence, { ...evidence, agent: worsen(evidence.agent) })
      }),
    )
  })
})

describe('a stricter policy never turns a step into a pass', () => {
  const judgedBy = (one: ScenarioEvidence, more: Partial<EvidencePolicy>): ScenarioEvidence => ({
    ...one,
    policy: { evidence: 'auto', minAssurance: 'claimed', ...one.policy, ...more },
  })

  test('of evidence', () => {
    fc.assert(
      fc.property(anyScenario, fc.constantFrom(0, 1), (one, weak) => {
        const [weaker, stricter] = [policies[weak] ?? 'off', policies[weak + 1] ?? 'require']
        expectNoNewPass(judgedBy(one, { evidence: weaker }), judgedBy(one, { evidence: stricter }))
      }),
    )
  })

  test('of assurance, and no pass is below it', () => {
    fc.assert(
      fc.property(anyScenario, fc.constantFrom(0, 1, 2, 3, 4), (one, weak) => {
        const [weaker, stricter] = [assurances[weak] ?? 'claimed', assurances[weak + 1] ?? 'verified']
        const after = judgedBy(one, { minAssurance: stricter })
        expectNoNewPass(judgedBy(one, { minAssurance: weaker }), after)
        for (const { assurance } of evaluateScenario(after)) {
          if (assurance) expect(assurances.indexOf(assurance)).toBeGreaterThanOrEqual(weak + 1)
        }
      }),
    )
  })
})

describe('any evidence', () => {
  test('lets nothing pass that the agent was not seen to do, where anything could be seen', () => {
    fc.assert(
      fc.property(anyScenario, (evidence) => {
        const seen = evidence.agent?.journal?.filter((one) => one.activity && one.denied !== true)
        if (evidence.policy?.evidence === 'off' || seen === undefined || seen.length > 0) return
        for (const [index, outcome] of outcomesOf(evidence).entries()) {
          if (evidence.steps[index]?.actor === 'agent') expect(outcome).not.toBe('pass')
        }
      }),
    )
  })

  test('lets nothing pass under `require` without a journal', () => {
    fc.assert(
      fc.property(anyScenario, ({ agent: one, ...evidence }) => {
        const { journal: _, ...unseen } = one ?? agent()
        const strict = { evidence: 'require', minAssurance: 'claimed' } as const
        const verdicts = evaluateScenario({ ...evidence, agent: unseen, policy: strict })
        expect(verdicts.filter(({ assurance }) => assurance === 'claimed' || assurance === 'observed')).toEqual([])
        for (const [index, { outcome }] of verdicts.entries()) {
          if (evidence.steps[index]?.actor === 'agent') expect(outcome).not.toBe('pass')
        }
      }),
    )
  })

  test('is witnessed only where mdtest alone executed', () => {
    fc.assert(
      fc.property(anyScenario, ({ agent: one, ...evidence }) => {
        const { hands: _, ...own } = one ?? agent()
        const levels = evaluateScenario({ ...evidence, agent: own }).map(({ assurance }) => assurance)
        expect(levels).not.toContain('witnessed')
      }),
    )
  })

  test('gives no code of a rule that is switched off, and no pass less for it', () => {
    fc.assert(
      fc.property(anyScenario, fc.subarray([...ruleNames]), (evidence, without) => {
        const verdicts = evaluateScenario(evidence, { without })
        const codes = verdicts.flatMap(({ reasons }) => reasons.map(({ code }) => code))
        expect(codes.filter((code) => without.some((name) => name === code))).toEqual([])
        const before = outcomesOf(evidence)
        for (const [index, { outcome }] of verdicts.entries())
          if (before[index] === 'pass') expect(outcome).toBe('pass')
      }),
    )
  })

  test('passes often enough, with every assurance, for these properties to mean something', () => {
    const sample = fc.sample(anyScenario, { numRuns: 500, seed: 1 }).flatMap((one) => evaluateScenario(one))
    for (const name of assurances) {
      expect(sample.filter(({ assurance }) => assurance === name).length, name).toBeGreaterThan(10)
    }
  })
})
