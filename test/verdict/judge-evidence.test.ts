import { describe, expect, test } from 'vitest'
import type { ResultLog } from '../../src/records/result-log/result-log.ts'
import type { Assurance } from '../../src/records/outcome.ts'
import type { BlockOutcome } from '../../src/records/block-outcome.ts'
import { evaluateScenario } from '../../src/verdict/evaluate-scenario.ts'
import type {
  AgentEnding,
  AgentEvidence,
  EvidencePolicy,
  ScenarioEvidence,
  StepEvidence,
} from '../../src/verdict/verdict.ts'
import {
  agent,
  block,
  check,
  codeStep,
  entry,
  quote,
  report,
  scenario,
  short,
  observedCall,
  step,
  two,
} from './evidence.ts'

const policy = (minAssurance: Assurance): EvidencePolicy => ({ minAssurance })
const verdictsOf = (evidence: ScenarioEvidence): readonly string[] => evaluateScenario(evidence).map(short)
const skip = (ordinal: number): string => `skipped PREDECESSOR_FAILED@${ordinal * 10}`

const active = { journal: [observedCall(null)] }
const executor = { sandbox: 'bubblewrap' } as const // a literal name
const idle = { journal: [observedCall('1-s', { activity: false }), observedCall('1-s', { denied: true })] }
const unseen = {}
const minimal: ResultLog = { status: 'pass' }
const full: ResultLog = { status: 'pass', run: 'run-1', steps: [entry('1-s')] }

describe('what a log has to rest on', () => {
  test.for([
    [active, 'pass observed'],
    [idle, 'fail NO_ACTIVITY@10'],
    [{ journal: [] }, 'fail NO_ACTIVITY@10'],
    [unseen, 'pass claimed'],
  ] as const)('%j: %s', ([seen, expected]) => {
    expect(verdictsOf(scenario([step(1)], { agent: agent(minimal, seen) }))).toEqual([expected])
  })

  test.for([
    ['what can be seen', active, 'fail ASSURANCE_TOO_LOW@10'],
    ['what cannot be seen', unseen, 'pass claimed'],
    ['its own interface in a terminal', { ...active, isInTerminal: true }, 'pass observed'],
  ] as const)('by default it depends on the agent: %s', ([, seen, expected]) => {
    const { policy: _lenient, ...byDefault } = scenario([step(1)], { agent: agent(minimal, seen) })
    expect(verdictsOf(byDefault)).toEqual([expected])
  })

  test('keeps what was seen to be wrong', () => {
    const judge = (more: Partial<AgentEvidence>, blocks = [block('verify')]): readonly string[] =>
      verdictsOf(scenario([step(1, { blocks })], { agent: agent(full, { ...active, ...more }) }))
    expect(judge({})).toEqual(['pass verified'])
    expect(judge({}, [block('verify', 'fail')])).toEqual(['fail VERIFY_FAILED@77'])
    expect(judge({ modifiedSpecFiles: ['/x.test.md'] })).toEqual(['fail SPEC_MODIFIED@10'])
    expect(judge({ modifiedSources: [{ file: 'src/cart.ts' }] })).toEqual(['fail SOURCE_MODIFIED@10'])
    expect(judge({ reading: { ok: false, code: 'LOG_INVALID_YAML', message: 'm' } })).toEqual([
      'fail LOG_INVALID_YAML@10',
    ])
  })
})

describe('activity of a step that was reported', () => {
  const reports = [report('1-s'), report('2-s')]
  const judge = (more: Partial<AgentEvidence>): readonly string[] =>
    verdictsOf(scenario(two, { agent: agent(undefined, { reports, ...more }) }))

  test('is what was seen since the report before', () => {
    expect(judge({ journal: [observedCall('1-s'), observedCall('2-s')] })).toEqual(['pass observed', 'pass observed'])
    expect(judge({ journal: [observedCall('1-s')] })).toEqual(['pass observed', 'fail NO_ACTIVITY@20'])
    expect(judge({ journal: [observedCall('2-s')] })).toEqual(['fail NO_ACTIVITY@10', skip(2)])
    expect(judge({ journal: [observedCall(null)] })).toEqual(['fail NO_ACTIVITY@10', skip(2)])
  })

  test('may be a quote from earlier that was found', () => {
    const journal = [observedCall('1-s')]
    const earlier = quote('2-s', { isEarlier: true })
    expect(judge({ journal, citations: [earlier] })).toEqual(['pass observed', 'pass evidenced'])
    expect(judge({ journal, citations: [quote('2-s')] })).toEqual(['pass observed', 'fail NO_ACTIVITY@20'])
    expect(judge({ journal, citations: [{ ...earlier, kind: 'file' }] })[1]).toBe('fail NO_ACTIVITY@20')
    expect(judge({ journal, citations: [{ ...earlier, found: false }] })[1]).toBe(
      'fail NO_ACTIVITY@20 EVIDENCE_UNKNOWN@20',
    )
    expect(judge({ journal: [], citations: [quote('1-s', { isEarlier: true })] })[0]).toBe('fail NO_ACTIVITY@10')
  })

  test('is not asked of a step that did not pass', () => {
    const more = { reports: [report('1-s', 'blocked')], journal: [] }
    expect(judge(more)).toEqual(['blocked AGENT_BLOCKED@10', skip(2)])
  })

  test('is not what was refused', () => {
    const refused = [observedCall('1-s', { denied: true })]
    expect(judge({ journal: refused, denials: [{ what: 'npm test' }] })).toEqual(['fail NO_ACTIVITY@10', skip(2)])
  })
})

describe('cited evidence that was not found', () => {
  const judge = (more: Partial<AgentEvidence>): string | undefined =>
    verdictsOf(scenario([step(1, { checks: [check(1)] })], { agent: agent(minimal, more) }))[0]
  const lost = quote('1-s', { found: false, problem: 'no tool printed it' })
  const lostFile = quote('1-s', { kind: 'file', what: 'badge.png', found: false })

  test('fails the step, at the check that it is cited for', () => {
    expect(judge({ ...active, citations: [lost] })).toBe('fail EVIDENCE_UNKNOWN@10')
    expect(judge({ ...active, citations: [lostFile] })).toBe('fail EVIDENCE_UNKNOWN@10')
    const many = evaluateScenario(
      scenario([step(1)], { agent: agent(full, { ...active, citations: Array(500).fill(lost) }) }),
    )
    expect(many[0]?.reasons).toHaveLength(20)
    expect(many[0]?.reasons.at(-1)?.message).toContain('The same is true of 480 more citations of the step.')
    expect(judge({ ...active, citations: [{ ...lost, check: 1 }] })).toBe('fail EVIDENCE_UNKNOWN@101')
    expect(judge({ ...active, citations: [{ ...lost, check: 9 }] })).toBe('fail EVIDENCE_UNKNOWN@10')
    expect(judge({ ...active, citations: [quote('1-s', { check: 1 }), lost] })).toBe('fail EVIDENCE_UNKNOWN@10')
  })

  test('is not looked at for another step', () => {
    expect(judge({ ...active, citations: [{ ...lost, stepId: '2-s' }] })).toBe('pass observed')
  })

  test('may be a quote where nothing could be seen, but not a file', () => {
    expect(judge({ citations: [lost] })).toBe('pass claimed')
    expect(judge({ citations: [lostFile] })).toBe('fail EVIDENCE_UNKNOWN@10')
  })
})

describe('assurance', () => {
  const checked = step(1, { checks: [check(1), check(2)] })
  const judge = (one: typeof checked, more: Partial<AgentEvidence>): string | undefined =>
    verdictsOf(scenario([one], { agent: agent(minimal, more) }))[0]

  test('is evidenced where each check has something that was found', () => {
    const [first, second] = [quote('1-s', { check: 1 }), quote('1-s', { check: 2, kind: 'file', what: 'a.png' })]
    expect(judge(checked, { ...active, citations: [first, second] })).toBe('pass evidenced')
    expect(judge(checked, { ...active, citations: [first] })).toBe('pass observed')
    expect(judge(checked, { ...active, citations: [first, first, quote('1-s')] })).toBe('pass observed')
    expect(judge(step(1), { ...active, citations: [quote('1-s')] })).toBe('pass evidenced')
  })

  test('counts neither a quote nor a file where nothing could be seen', () => {
    expect(judge(step(1), { citations: [quote('1-s')] })).toBe('pass claimed')
    expect(judge(step(1), { citations: [quote('1-s', { kind: 'file', what: 'a.png' })] })).toBe('pass claimed')
  })

  test('is verified by a `verify` block, and for a step of code', () => {
    expect(judge(step(1, { blocks: [block('verify')] }), { ...active, citations: [quote('1-s')] })).toBe(
      'pass verified',
    )
    const strict = policy('verified')
    expect(verdictsOf(scenario([codeStep(1, block('run'))], { policy: strict }))).toEqual(['pass verified'])
  })

  const withComparisons = (role: 'run' | 'verify', written: number, held: number): BlockOutcome => ({
    ...block(role),
    comparisons: { written, held },
  })

  test.each([
    ['new snapshots alone', [withComparisons('verify', 2, 0)], 'pass observed'],
    ['a new snapshot and another assertion', [withComparisons('verify', 1, 1)], 'pass verified'],
    ['no snapshot', [withComparisons('verify', 0, 0)], 'pass verified'],
    ['a new snapshot and another `verify` block', [withComparisons('verify', 1, 0), block('verify')], 'pass verified'],
    ['a `run` block that holds', [withComparisons('verify', 1, 0), withComparisons('run', 0, 3)], 'pass observed'],
  ])('of an agent with %s', (_, blocks, expected) => {
    expect(judge(step(1, { blocks }), active)).toBe(expected)
    const strict = { policy: policy('verified'), agent: agent(minimal, active) }
    const isVerified = expected === 'pass verified'
    expect(verdictsOf(scenario([step(1, { blocks })], strict))).toEqual([
      isVerified ? expected : 'fail ASSURANCE_TOO_LOW@10',
    ])
  })

  test.each([
    ['new snapshots alone', [withComparisons('run', 2, 0)], 'pass observed'],
    ['a new snapshot and an exit code', [block('run'), withComparisons('verify', 1, 0)], 'pass observed'],
    [
      'a new snapshot and an assertion elsewhere',
      [withComparisons('run', 0, 1), withComparisons('run', 1, 0)],
      'pass verified',
    ],
    ['an exit code alone', [block('run')], 'pass verified'],
  ])('of code with %s', (_, blocks, expected) => {
    expect(verdictsOf(scenario([codeStep(1, ...blocks)]))).toEqual([expected])
    const strict = verdictsOf(scenario([codeStep(1, ...blocks)], { policy: policy('verified') }))
    expect(strict).toEqual([expected === 'pass verified' ? expected : 'fail ASSURANCE_TOO_LOW@10'])
  })

  const recorded = (written: number, held: number): BlockOutcome => ({
    ...withComparisons('run', written, held),
    isRecorded: true,
  })
  const replayed = (...blocks: readonly BlockOutcome[]): StepEvidence => ({
    ...codeStep(1, ...blocks),
    replay: 'current',
  })

  test.each([
    ['blocks of a recording', [block('run')], 'pass reproduced'],
    ['a `verify` block behind them', [block('run'), block('verify')], 'pass verified'],
    ['a `verify` block with new snapshots alone', [block('run'), withComparisons('verify', 2, 0)], 'pass reproduced'],
    ['words that this run wrote', [recorded(1, 0)], 'pass observed'],
    ['words that this run wrote in one block of two', [recorded(1, 0), recorded(0, 1)], 'pass reproduced'],
    ['its own block beside words that this run wrote', [withComparisons('run', 0, 1), recorded(1, 0)], 'pass observed'],
    ['a `verify` block behind words that this run wrote', [recorded(1, 0), block('verify')], 'pass verified'],
    ['nothing but what this run wrote', [recorded(1, 0), withComparisons('verify', 1, 0)], 'pass observed'],
  ])('of a replay with %s', (_, blocks, expected) => {
    expect(verdictsOf(scenario([replayed(...blocks)]))).toEqual([expected])
    const strict = scenario([replayed(...blocks)], { policy: policy('reproduced') })
    const isLow = expected === 'pass observed'
    expect(verdictsOf(strict)).toEqual([isLow ? 'fail ASSURANCE_TOO_LOW@10' : expected])
    expect(
      evaluateScenario(strict).map(({ reasons: [reason] }) => reason?.message.includes('run the spec once more')),
    ).toEqual([isLow || undefined])
  })

  test.each([
    ['another output', { isOutputOnly: true as const }, 'fail REPLAY_DIFFERS@10'],
    ['a command that fails', {}, 'fail REPLAY_STALE@10'],
    ['a command that takes too long', { status: 'timeout' as const }, 'fail REPLAY_STALE@10'],
  ])('is none of a replay with %s', (_, more, expected) => {
    const [verdict] = verdictsOf(scenario([replayed({ ...block('run', 'fail'), isRecorded: true, ...more })]))
    expect(verdict?.replace(/@\d+/, '@10')).toBe(expected)
  })

  test.each([
    ['missing', 'fail REPLAY_MISSING@10'],
    ['stale', 'fail REPLAY_STALE@10'],
  ] as const)('is none of a step whose recording is %s', (replay, expected) => {
    expect(verdictsOf(scenario([{ ...codeStep(1, block('verify')), replay }]))).toEqual([expected])
  })

  const backings: Readonly<Record<Assurance, ScenarioEvidence>> = {
    claimed: scenario([step(1)], { agent: agent() }),
    observed: scenario([step(1)], { agent: agent(minimal, active) }),
    evidenced: scenario([step(1)], { agent: agent(minimal, { ...active, citations: [quote('1-s')] }) }),
    witnessed: scenario([step(1)], { agent: agent(minimal, { ...active, executor, citations: [quote('1-s')] }) }),
    reproduced: scenario([replayed(block('run'))]),
    verified: scenario([step(1, { blocks: [block('verify')] })], { agent: agent() }),
  }
  const weakestFirst = ['claimed', 'observed', 'evidenced', 'witnessed', 'reproduced', 'verified'] as const

  test.for(weakestFirst.flatMap((needed) => weakestFirst.map((given) => [needed, given] as const)))(
    'with at least %s needed, a pass that is %s',
    ([needed, given]) => {
      const isEnough = weakestFirst.indexOf(given) >= weakestFirst.indexOf(needed)
      const verdicts = verdictsOf({ ...backings[given], policy: policy(needed) })
      expect(verdicts).toEqual([isEnough ? `pass ${given}` : 'fail ASSURANCE_TOO_LOW@10'])
    },
  )

  test.for(weakestFirst)('of an agent behind a replay that came out otherwise has to be evidenced: %s', (given) => {
    const isEnough = given !== 'claimed' && given !== 'observed'
    expect(verdictsOf({ ...backings[given], isDisputed: true })).toEqual([
      isEnough ? `pass ${given}` : 'fail ASSURANCE_TOO_LOW@10',
    ])
    const strict = { ...backings[given], isDisputed: true, policy: policy('verified') }
    expect(verdictsOf(strict)).toEqual([given === 'verified' ? 'pass verified' : 'fail ASSURANCE_TOO_LOW@10'])
  })
})

describe('a product that changed', () => {
  const changed = (log: ResultLog, files: readonly string[] = ['src/cart.ts']) =>
    agent(log, { modifiedSources: files.map((file) => ({ file })) })

  test('fails each step of the agent and leaves steps of code alone', () => {
    const steps = [codeStep(1, block('run')), step(2)]
    expect(verdictsOf(scenario(steps, { agent: changed(minimal) }))).toEqual([
      'pass verified',
      'fail SOURCE_MODIFIED@20',
    ])
  })

  test('fails the step that was under way alone, where that is known', () => {
    const modifiedSources = [{ file: 'src/cart.ts', stepId: '2-s' }]
    expect(verdictsOf(scenario([step(1), step(2)], { agent: agent(minimal, { modifiedSources }) }))).toEqual([
      'pass claimed',
      'fail SOURCE_MODIFIED@20',
    ])
  })

  test('is no excuse for a failure', () => {
    const evidence = scenario([step(1)], { agent: { ...changed({ status: 'fail' }), denials: [{ what: 'x' }] } })
    expect(verdictsOf(evidence)).toEqual(['fail STEP_FAILED@10 SOURCE_MODIFIED@10'])
  })

  test('is named with the way out', () => {
    const files = Array.from({ length: 12 }, (_, index) => `src/${index}.ts`)
    const [verdict] = evaluateScenario(scenario([step(1)], { agent: changed(minimal, files) }))
    expect(verdict?.reasons[0]?.message).toMatch(/`src\/0\.ts`.* and 2 more\..*`writes:`/)
  })
})

test('an agent that could not reach the report server and left no log is blocked', () => {
  const errors = [{ cause: 'mcp', message: 'required MCP server failed to start.' }] as const
  const none = { ok: false, code: 'LOG_MISSING', message: 'm' } as const
  const evidence = scenario([step(1)], { agent: agent(undefined, { errors, reading: none }) })
  expect(verdictsOf(evidence)).toEqual(['blocked MCP_UNAVAILABLE@10'])
  expect(verdictsOf(scenario([step(1)], { agent: agent(minimal, { errors }) }))).toEqual(['pass claimed'])
})

test('an agent that waits for an answer is blocked, with what it asks', () => {
  const errors = [{ cause: 'question', message: 'asks whether to trust this folder: say yes.' }] as const
  const none = { ok: false, code: 'LOG_MISSING', message: 'm' } as const
  const messageOf = (ending: AgentEnding): string | undefined => {
    const asking = agent(undefined, { errors, reading: none, ending, tail: 'a long screen' })
    const [verdict] = evaluateScenario(scenario([step(1)], { agent: asking }))
    return `${verdict?.outcome} ${verdict?.reasons[0]?.code}: ${verdict?.reasons[0]?.message}`
  }
  expect(messageOf({ kind: 'exited', exitCode: 1 })).toMatch(
    /^blocked AGENT_CRASHED: The agent `\w+` wrote no result log: it asks whether to trust this folder: say yes\./,
  )
  expect(messageOf({ kind: 'silence-timeout', limitMs: 5 })).toMatch(
    /^blocked AGENT_SILENT: .* It asks whether to trust this folder: say yes\./,
  )
})
