import { expect, it } from 'vitest'
import { planReplay, replaysOf } from '../../../src/plan/recordings/replay.ts'
import { parseRecording } from '../../../src/spec/recording/parse-recording.ts'
import { keysOf } from '../../../src/spec/recording/step-keys.ts'
import { parseSpec } from '../../../src/spec/parse-spec.ts'
import { stepsOf, type Scenario, type Spec } from '../../../src/spec/spec.ts'

const file = '/project/shop.test.md'

const text = `# Shop

## Fill

Put tea into the cart.

\`\`\`sh run
echo before
\`\`\`

\`\`\`sh verify
echo after
\`\`\`

## Look

Look at the cart.

## Code

\`\`\`sh run
echo code
\`\`\`

## Pay

Pay.
`

interface Opened {
  readonly spec: Spec
  readonly scenario: Scenario
  readonly keys: ReadonlyMap<string, string>
}

function open(source = text): Opened {
  const { spec, problems } = parseSpec(source, { file, agentDefault: 'claude' })
  const [scenario] = spec.scenarios
  if (scenario === undefined || problems.length > 0) throw new Error(JSON.stringify(problems))
  return { spec, scenario, keys: keysOf(spec, scenario, () => source) }
}

const { spec, scenario, keys } = open()

/** A recording of these steps: `title`, or `title!` for one of an earlier wording. */
function recordingOf(...titles: readonly string[]): ReturnType<typeof parseRecording>['recording'] {
  const sections = titles.map((name, index) => {
    const title = name.replace('!', '')
    const id = stepsOf(scenario).find((step) => step.title === title)?.id ?? ''
    const key = name.endsWith('!') ? `0000000${index}` : keys.get(id)
    return `## ${title}\n\n<!-- mdtest: key=${key} -->\n\n\`\`\`console\n$ do ${title}\n\`\`\`\n`
  })
  return parseRecording(`# Shop\n\n${sections.join('\n')}`, '/project/shop.recording.md').recording
}

/** What each step is carried out with. */
function plan(mode: 'auto' | 'only', ...titles: readonly string[]): readonly string[] {
  const planned = planReplay(spec, { mode, recording: recordingOf(...titles), keysOf: () => keys })
  const found = planned.scenarios[1] ?? scenario
  return stepsOf(found).map(({ title, actor, replay, blocks }) => {
    const code = blocks.map((block) => `${block.isRecorded ? '*' : ''}${block.code}`).join(', ')
    return [title, actor, replay ?? '-', code].join(': ')
  })
}

const [fill, look, code, pay] = [
  'Fill: agent: -: echo before, echo after',
  'Look: agent: -: ',
  'Code: code: -: echo code',
  'Pay: agent: -: ',
]

it('replays what has a recording: behind `run` blocks, before `verify` blocks', () => {
  expect(plan('auto', 'Fill', 'Look', 'Pay')).toEqual([
    'Fill: code: current: echo before, *$ do Fill, echo after',
    'Look: code: current: *$ do Look',
    code,
    'Pay: code: current: *$ do Pay',
  ])
})

it.each<[string, readonly string[], readonly (string | undefined)[]]>([
  ['nothing', [], [fill, look, code, pay]],
  ['the first alone', ['Fill'], [fill, look, code, pay]],
  ['all but the last', ['Fill', 'Look'], [fill, look, code, pay]],
  [
    'all but the first',
    ['Look', 'Pay'],
    [fill, 'Look: code: current: *$ do Look', code, 'Pay: code: current: *$ do Pay'],
  ],
  [
    'one of an earlier wording in the middle',
    ['Fill', 'Look!', 'Pay'],
    [fill, look, code, 'Pay: code: current: *$ do Pay'],
  ],
])('never has the agent go on behind a replay: recorded is %s', (_what, titles, steps) => {
  expect(plan('auto', ...titles)).toEqual(steps)
})

it('starts no agent with `only`, whatever is missing', () => {
  expect(plan('only', 'Fill', 'Look!')).toEqual([
    'Fill: code: current: echo before, *$ do Fill, echo after',
    'Look: code: stale: ',
    code,
    'Pay: code: missing: ',
  ])
  expect(plan('only')).toEqual([
    'Fill: code: missing: echo before, echo after',
    'Look: code: missing: ',
    code,
    'Pay: code: missing: ',
  ])
})

it('says of a spec whether all of it is recorded', () => {
  const isComplete = (...titles: readonly string[]): boolean =>
    planReplay(spec, { mode: 'auto', recording: recordingOf(...titles), keysOf: () => keys }).isComplete
  expect(isComplete('Fill', 'Look', 'Pay')).toBe(true)
  expect(isComplete('Fill', 'Look')).toBe(false)
  expect(isComplete('Fill', 'Look', 'Pay!')).toBe(false)
})

it('leaves out steps that are skipped, and those of code', () => {
  const skipped = open(text.replace('## Pay\n', '## Pay\n\n<!-- mdtest: skip -->\n'))
  const replays = replaysOf(skipped.scenario, {
    scenarios: skipped.spec.scenarios,
    recording: recordingOf(),
    keys: skipped.keys,
  })
  expect([...replays]).toEqual([
    ['1-fill', 'missing'],
    ['2-look', 'missing'],
  ])
})

it.each(['Setup', 'Teardown'])('replays nothing of a scenario whose %s is prose for the agent', (hook) => {
  const source = `${text}\n## ${hook}\n\nSee that nothing is left.\n`
  const one = open(source)
  const sections = stepsOf(one.scenario).map(
    ({ id, title }) =>
      `## ${title}\n\n<!-- mdtest: key=${one.keys.get(id)} -->\n\n\`\`\`console\n$ do it\nit\n\`\`\`\n`,
  )
  const { recording } = parseRecording(`# Shop\n\n${sections.join('\n')}`, '/project/shop.recording.md')
  const planned = planReplay(one.spec, { mode: 'auto', recording, keysOf: () => one.keys })
  expect(planned).toMatchObject({ isComplete: false, scenarios: {} })
  const only = planReplay(one.spec, { mode: 'only', recording, keysOf: () => one.keys }).scenarios[1] ?? scenario
  const asked = stepsOf(only).filter(({ replay }) => replay !== undefined)
  expect(asked.map(({ replay }) => replay)).toEqual(['missing', 'missing', 'missing'])
  expect(asked.flatMap(({ blocks }) => blocks.filter((block) => block.isRecorded))).toEqual([])
})
