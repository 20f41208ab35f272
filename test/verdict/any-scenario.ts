import fc from '../support/fast-check.ts'
import type { BlockOutcome } from '../../src/records/block-outcome.ts'
import type { ResultLog, StepReport } from '../../src/records/result-log/result-log.ts'
import type {
  AgentEvidence,
  Citation,
  ModifiedSource,
  ScenarioEvidence,
  ObservedCall,
  StepEvidence,
} from '../../src/verdict/verdict.ts'
import { agent, block, check, entry, noLog, report, scenario, startedAtMs, step } from './evidence.ts'

const mostly = <T>(good: T, ...bad: readonly T[]): fc.Arbitrary<T> =>
  fc.oneof({ weight: 8, arbitrary: fc.constant(good) }, { weight: 1, arbitrary: fc.constantFrom(good, ...bad) })

const blocks = fc.array(
  fc
    .tuple(fc.constantFrom('run', 'verify', 'file'), mostly<BlockOutcome['status']>('pass', 'fail', 'timeout'))
    .map(([role, outcome]) => block(role, outcome)),
  { maxLength: 1 },
)
const ids = ['1-s', '2-s', '3-s'] as const
const steps = fc.tuple(...ids.map((_, index) => stepAt(index + 1)))

function stepAt(ordinal: number): fc.Arbitrary<StepEvidence> {
  return fc
    .record({
      actor: mostly<StepEvidence['actor']>('agent', 'code', 'todo'),
      count: mostly(0, 1, 2),
      isVerified: fc.boolean(),
      isReplayed: fc.boolean(),
      more: blocks,
    })
    .map(({ actor, count, isVerified, isReplayed, more }) =>
      step(ordinal, {
        actor,
        checks: Array.from({ length: count }, (_, index) => check(index + 1)),
        blocks: [...blocksOf({ actor, isVerified, isReplayed }), ...more],
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
/** Of the steps that the agent was asked for: the report server refuses any other. */
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
  { kind: 'stopped', code: 'AGENT_BUDGET', message: 'm' },
  { kind: 'killed', signal: 'SIGKILL' },
)
export const assurances = ['claimed', 'observed', 'evidenced', 'witnessed', 'reproduced', 'verified'] as const
const policy = fc.record({ minAssurance: mostly(...assurances) })

const readingFor = (all: readonly StepEvidence[]): fc.Arbitrary<AgentEvidence['reading']> => {
  const listed = all.map(({ id, checks }) =>
    entry(id, 'pass', { checks: checks.map(({ n }) => ({ n, status: 'pass' as const })) }),
  )
  const log = fc.record<ResultLog, 'status' | 'run'>(
    {
      status: mostly<'pass' | 'fail'>('pass', 'fail'),
      run: mostly('run-1', 'run-2'),
      steps: fc.oneof(fc.constant(listed), fc.subarray(listed)),
    },
    { requiredKeys: ['status', 'run'] },
  )
  const good = fc
    .tuple(log, mostly(startedAtMs, startedAtMs - 60_000))
    .map(([one, modifiedAtMs]) => ({ ok: true as const, log: one, body: '', modifiedAtMs }))
  return fc.oneof({ weight: 3, arbitrary: good }, { weight: 1, arbitrary: fc.constant(noLog) })
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
        modifiedSpecFiles: mostly<readonly string[]>([], ['/x.test.md']),
        errors: mostly<AgentEvidence['errors']>([], [{ cause: 'auth', message: 'm' }]),
        denials: mostly<AgentEvidence['denials']>([], [{ what: 'npm test' }]),
        executor: fc.constant({ sandbox: 'none' as const }),
      },
      {
        requiredKeys: [
          'ending',
          'reports',
          'reading',
          'citations',
          'modifiedSources',
          'modifiedSpecFiles',
          'errors',
          'denials',
        ],
      },
    )
    .map((more) => agent(undefined, more))

/** Mostly good, so that many steps pass and a broken rule shows. */
export const anyScenario: fc.Arbitrary<ScenarioEvidence> = steps.chain((all) =>
  fc.record({ agent: agentFor(all), policy, setup: blocks, teardown: blocks }).map((more) => scenario(all, more)),
)
