import fc from '../support/fast-check.ts'
import { describe, expect, test } from 'vitest'
import type { ResultLog, StepReport, StepResult } from '../../src/records/result-log/result-log.ts'
import { evaluateScenario } from '../../src/verdict/evaluate-scenario.ts'
import { ruleNames } from './rule-cases.ts'
import type {
  AgentEvidence,
  Citation,
  EvidencePolicy,
  ScenarioEvidence,
  ObservedCall,
  StepEvidence,
} from '../../src/verdict/verdict.ts'
import { anyScenario, assurances } from './any-scenario.ts'
import { agent, block, check, entry, noLog, report, startedAtMs } from './evidence.ts'

const outcomesOf = (evidence: ScenarioEvidence): readonly string[] =>
  evaluateScenario(evidence).map(({ outcome }) => outcome)

function expectNoNewPass(before: ScenarioEvidence, after: ScenarioEvidence, what = 'a stricter policy'): void {
  const was = outcomesOf(before)
  const passes = outcomesOf(after).flatMap((outcome, index) => (outcome === 'pass' ? [was[index]] : []))
  expect(
    passes.filter((outcome) => outcome !== 'pass'),
    what,
  ).toEqual([])
}

type Worsen = (evidence: ScenarioEvidence) => ScenarioEvidence
const ofAgent =
  (change: (agent: AgentEvidence) => AgentEvidence): Worsen =>
  ({ agent: one, ...rest }) =>
    one === undefined ? rest : { ...rest, agent: change(one) }
const ofReports = (change: (reports: readonly StepReport[]) => readonly StepReport[]): Worsen =>
  ofAgent((one) => (one.reports?.length ? { ...one, reports: change(one.reports) } : one))
const ofJournal = (change: (all: readonly ObservedCall[]) => readonly ObservedCall[]): Worsen =>
  ofAgent(({ journal: seen, ...rest }) => ({ ...rest, ...(seen && { journal: change(seen) }) }))
const ofCitations = (change: (one: Citation) => Citation): Worsen =>
  ofAgent((one) => ({ ...one, citations: (one.citations ?? []).map(change) }))
/** Of an agent that did not end by itself less may be known already. */
const byEnding = (ending: AgentEvidence['ending']): Worsen =>
  ofAgent((one) => (one.ending.kind === 'exited' ? { ...one, ending } : one))
/** Beside reports a log can only contradict them. */
const ofReading = (change: (one: AgentEvidence) => Partial<AgentEvidence>): Worsen =>
  ofAgent((one) => (one.reports?.length ? one : { ...one, ...change(one) }))
const ofLog = (change: (log: ResultLog) => ResultLog): Worsen =>
  ofReading(({ reading }) => (reading.ok ? { reading: { ...reading, log: change(reading.log) } } : {}))
const ofEntries = (change: (all: readonly StepResult[]) => readonly StepResult[]): Worsen =>
  ofLog((log) => (log.steps === undefined ? log : { ...log, steps: change(log.steps) }))
const inStep =
  (change: (step: StepEvidence) => Partial<StepEvidence>): Worsen =>
  (evidence) => ({ ...evidence, steps: evidence.steps.map((one, at) => (at === 1 ? { ...one, ...change(one) } : one)) })
const first = <T>(all: readonly T[], change: (one: T) => T): readonly T[] =>
  all.map((one, index) => (index === 0 ? change(one) : one))
const failed = block('verify', 'fail')

const worsenings: Readonly<Record<string, Worsen>> = {
  'a block fails': inStep((one) => ({ blocks: first(one.blocks, (each) => ({ ...each, status: 'fail' })) })),
  'a failed block more': inStep((one) => ({ blocks: [...one.blocks, failed] })),
  'blocks that passed did not run': inStep((one) => ({ blocks: one.blocks.filter((each) => each.status !== 'pass') })),
  'more blocks were planned': inStep((one) => ({ plannedBlocks: one.blocks.length + 1 })),
  'a check more': inStep((one) => ({ checks: [...one.checks, check(7)] })),
  'the set-up fails': (evidence) => ({ ...evidence, setup: [...evidence.setup, failed] }),
  'the tear-down fails': (evidence) => ({ ...evidence, teardown: [...evidence.teardown, failed] }),
  'no agent': ({ agent: _agent, ...rest }) => rest,
  'a report fails': ofReports((all) => first(all, (one) => ({ ...one, status: 'fail' }))),
  'a report is blocked': ofReports((all) => first(all, (one) => ({ ...one, status: 'blocked' }))),
  'a report twice': ofReports((all) => [...all, ...all.slice(0, 1)]),
  'a report of an unknown step': ofReports((all) => [...all, report('9-x')]),
  // All but the last one: without any the log speaks, which is another account.
  'a report is gone': ofReports((all) => all.slice(0, Math.max(1, all.length - 1))),
  'nothing was seen': ofJournal(() => []),
  'less was seen': ofJournal((all) => all.slice(1)),
  'what was seen was refused': ofJournal((all) => all.map((one) => ({ ...one, denied: true }))),
  'what was seen is no activity': ofJournal((all) => all.map((one) => ({ ...one, activity: false }))),
  'what was seen belongs to no step': ofJournal((all) => all.map((one) => ({ ...one, step: null }))),
  'evidence is not found': ofCitations((one) => ({ ...one, found: false })),
  'evidence is not from earlier': ofCitations((one) => ({ ...one, isEarlier: false })),
  'a source changed': ofAgent((one) => ({ ...one, modifiedSources: [{ file: 'cart.ts' }] })),
  'the spec changed': ofAgent((one) => ({ ...one, modifiedSpecFiles: ['/x.test.md'] })),
  'the agent runs out of time': byEnding({ kind: 'hard-timeout', limitMs: 1 }),
  'the agent is canceled': byEnding({ kind: 'canceled' }),
  'the agent is denied': ofAgent((one) => ({ ...one, denials: [{ what: 'x' }] })),
  'the agent has no access': ofAgent((one) => ({ ...one, errors: [{ cause: 'auth', message: 'm' }] })),
  'the agent acted past mdtest': ofAgent((one) => ({ ...one, errors: [{ cause: 'executor', message: 'm' }] })),
  'the agent lost the report server': ofAgent((one) => ({ ...one, errors: [{ cause: 'mcp', message: 'm' }] })),
  'the log is missing': ofReading(() => ({ reading: noLog })),
  'the log is stale': ofReading(() => ({ startedAtMs: startedAtMs + 60_000 })),
  'the log is of another run': ofLog((log) => ({ ...log, run: 'run-2' })),
  'the log fails': ofLog((log) => ({ ...log, status: 'fail' })),
  'an entry fails': ofEntries((all) => first(all, (one) => ({ ...one, status: 'fail' }))),
  'an entry is blocked': ofEntries((all) => first(all, (one) => ({ ...one, status: 'blocked' }))),
  'an entry is gone': ofEntries((all) => all.slice(1)),
  'an entry twice': ofEntries((all) => [...all, ...all.slice(0, 1)]),
  'an unknown entry': ofEntries((all) => [...all, entry('9-x')]),
}

test('worse evidence never turns a step into a pass', () => {
  fc.assert(
    fc.property(anyScenario, (evidence) => {
      for (const [what, worsen] of Object.entries(worsenings)) expectNoNewPass(evidence, worsen(evidence), what)
    }),
  )
})

describe('a stricter policy never turns a step into a pass', () => {
  const judgedBy = (one: ScenarioEvidence, more: Partial<EvidencePolicy>): ScenarioEvidence => ({
    ...one,
    policy: { minAssurance: 'claimed', ...one.policy, ...more },
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
  test('gives one verdict for each step, with reasons where there is no pass', () => {
    fc.assert(
      fc.property(anyScenario, (evidence) => {
        const verdicts = evaluateScenario(evidence)
        expect(verdicts).toHaveLength(evidence.steps.length)
        for (const { outcome, assurance, expected, reasons } of verdicts) {
          expect(assurance === undefined).toBe(outcome !== 'pass')
          expect(expected).toBeUndefined()
          if (outcome === 'pass') expect(reasons).toEqual([])
          if (outcome === 'fail' || outcome === 'blocked') expect(reasons.length).toBeGreaterThan(0)
        }
        expect(evaluateScenario(evidence)).toEqual(verdicts)
      }),
    )
  })

  test('lets no step of the agent pass without an account of this run that speaks of it', () => {
    fc.assert(
      fc.property(anyScenario, (evidence) => {
        const { reports = [], reading, startedAtMs: began = 0, modifiedSpecFiles = [] } = evidence.agent ?? agent()
        const log = reading.ok && reading.log.run !== 'run-2' && reading.modifiedAtMs >= began - 2000 && reading.log
        const said = reports.length > 0 ? reports : log ? log.steps : []
        for (const [index, { outcome }] of evaluateScenario(evidence).entries()) {
          const { id, actor } = evidence.steps[index] ?? {}
          if (outcome !== 'pass' || actor !== 'agent') continue
          expect(modifiedSpecFiles).toEqual([])
          if (said !== undefined) expect(said.filter((one) => one.id === id).map((one) => one.status)).toEqual(['pass'])
        }
      }),
    )
  })

  test('lets nothing pass with a failed block, after a failed set-up or behind a step that did not', () => {
    fc.assert(
      fc.property(anyScenario, (evidence) => {
        const outcomes = outcomesOf(evidence)
        for (const [index, outcome] of outcomes.entries()) {
          const all = [...evidence.setup, ...(evidence.steps[index]?.blocks ?? [])]
          if (outcome === 'pass') expect(all.filter((one) => one.status !== 'pass')).toEqual([])
        }
        const stop = outcomes.findIndex((one) => one === 'fail' || one === 'blocked')
        expect(stop === -1 ? [] : outcomes.slice(stop)).not.toContain('pass')
      }),
    )
  })

  test('with a log alone that fails leaves some step of the agent without a pass', () => {
    fc.assert(
      fc.property(anyScenario, ({ agent: one = agent(), ...evidence }) => {
        const { reports: _, ...alone } = one
        const asked = evaluateScenario({ ...evidence, agent: alone }).filter(
          (__, index) => evidence.steps[index]?.actor === 'agent',
        )
        if (one.reading.ok && one.reading.log.status === 'fail' && asked.length > 0)
          expect(asked.some(({ outcome }) => outcome !== 'pass')).toBe(true)
      }),
    )
  })

  test('lets nothing pass that the agent was not seen to do, where anything could be seen', () => {
    fc.assert(
      fc.property(anyScenario, (evidence) => {
        const seen = evidence.agent?.journal?.filter((one) => one.activity && one.denied !== true)
        if (seen === undefined || seen.length > 0) return
        for (const [index, outcome] of outcomesOf(evidence).entries()) {
          if (evidence.steps[index]?.actor === 'agent') expect(outcome).not.toBe('pass')
        }
      }),
    )
  })

  test('lets nothing pass that is not observed, where that is asked for', () => {
    fc.assert(
      fc.property(anyScenario, ({ agent: one, ...evidence }) => {
        const { journal: _, ...unseen } = one ?? agent()
        const strict = { minAssurance: 'observed' } as const // a literal
        const verdicts = evaluateScenario({ ...evidence, agent: unseen, policy: strict })
        expect(verdicts.filter(({ assurance }) => assurance === 'claimed')).toEqual([])
      }),
    )
  })

  test('is witnessed only where mdtest alone executed', () => {
    fc.assert(
      fc.property(anyScenario, ({ agent: one, ...evidence }) => {
        const { executor: _, ...own } = one ?? agent()
        const levels = evaluateScenario({ ...evidence, agent: own }).map(({ assurance }) => assurance)
        expect(levels).not.toContain('witnessed')
      }),
    )
  })

  test('gives no code of a rule that is switched off, and no pass less for it', () => {
    fc.assert(
      fc.property(anyScenario, fc.subarray([...ruleNames]), (evidence, without) => {
        const verdicts = evaluateScenario(evidence, without)
        const codes = verdicts.flatMap(({ reasons }) => reasons.map(({ code }) => code))
        expect(codes.filter((code) => without.some((name) => name === code))).toEqual([])
        const before = outcomesOf(evidence)
        for (const [index, { outcome }] of verdicts.entries())
          if (before[index] === 'pass') expect(outcome).toBe('pass')
      }),
    )
  })

  test('passes often enough, with every assurance, for these properties to mean something', () => {
    const sample = fc.sample(anyScenario, { numRuns: 1_000, seed: 1 }).flatMap((one) => evaluateScenario(one))
    for (const name of assurances) {
      expect(sample.filter(({ assurance }) => assurance === name).length, name).toBeGreaterThan(10)
    }
  })
})
