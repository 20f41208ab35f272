import { expect, it } from 'vitest'
import { replaysOf } from '../../../src/plan/recordings/replay.ts'
import { parseSpec } from '../../../src/spec/parse-spec.ts'
import { parseRecording } from '../../../src/spec/recording/parse-recording.ts'
import { keysOf } from '../../../src/spec/recording/step-keys.ts'
import { stepsOf, type Scenario, type Spec } from '../../../src/spec/spec.ts'
import { recordByHand, transcript } from '../../support/hand-recording.ts'

/** `A B=code C~new`: steps A and C of prose, C saying `new`, and B of code between them. */
function open(steps: string): { readonly spec: Spec; readonly scenario: Scenario; readonly text: string } {
  const sections = steps.split(' ').map((step) => {
    const [title = '', said = 'as before'] = step.split(/[~=]/)
    return `## ${title}\n\n${step.includes('=') ? `\`\`\`sh run\n: ${said}\n\`\`\`` : `Do ${said}.`}\n`
  })
  const text = `# Shop\n\n${sections.join('\n')}`
  const { spec } = parseSpec(text, { file: '/shop.test.md', agentDefault: 'claude' })
  const [scenario] = spec.scenarios
  if (scenario === undefined) throw new Error('no scenario')
  return { spec, scenario, text }
}

/** What is told of the steps of a spec of which these were recorded. */
function told(recorded: string, now: string): readonly string[] {
  const old = open(recorded)
  const keys = keysOf(old.spec, old.scenario, () => old.text)
  const sections = stepsOf(old.scenario)
    .filter(({ actor }) => actor === 'agent')
    .map(({ id, title }) => `## ${title}\n\n<!-- mdtest: key=${keys.get(id)} -->\n\n\`\`\`console\n$ :\n\`\`\`\n`)
  const { recording } = parseRecording(`# Shop\n\n${sections.join('\n')}`, '/shop.recording.md')
  const { spec, scenario, text } = open(now)
  const found = replaysOf(scenario, {
    scenarios: spec.scenarios,
    recording,
    keys: keysOf(spec, scenario, () => text),
  })
  return stepsOf(scenario).flatMap(({ id, title }) => {
    const one = found.get(id)
    return one === undefined ? [] : [`${title}: ${one}`]
  })
}

it.each<[string, string, string, readonly string[]]>([
  ['nothing has changed', 'A B C', 'A B C', ['A: current', 'B: current', 'C: current']],
  ['a step has changed', 'A B C D', 'A B~new C D', ['A: current', 'B: stale', 'C: stale', 'D: stale']],
  ['the first has changed, or the head of the scenario', 'A B', 'A~new B', ['A: stale', 'B: stale']],
  [
    'a step of code has changed, which has no recording of its own',
    'A B=true C',
    'A B=false C',
    ['A: current', 'C: stale'],
  ],
  ['a step is new', 'A B', 'A New B', ['A: current', 'New: missing', 'B: stale']],
  ['a step is gone', 'A B C', 'A C', ['A: current', 'C: stale']],
  ['a step at the end is new', 'A', 'A B', ['A: current', 'B: missing']],
])('says of each step of an agent what is recorded: %s', (_what, recorded, now, states) => {
  expect(told(recorded, now)).toEqual(states)
})

const admin = '# As admin\n\n## Log in\n\nLog in.\n'
const guest = '\n# As guest\n\n## Log in\n\nLog in.\n'
const leaf = '\n# Log in\n\nLog in.\n'

it.each<[string, string, readonly string[]]>([
  ['a scenario with a step of the same title', `${admin}${guest}`, ['current', 'missing']],
  ['a scenario that is a step of the same title', `${admin}${leaf}`, ['current', 'missing']],
  ['the step, and another scenario', `${admin.replace('Log in.', 'Sign in.')}${guest}`, ['stale', 'missing']],
  ['the heading of the scenario', admin.replace('admin', 'root'), ['stale']],
  ['the heading is gone', leaf.trimStart(), ['stale']],
])('takes what is recorded of one scenario for that of no other: new is %s', (_what, now, states) => {
  const recorded = recordByHand(admin, { bodies: { 'Log in': transcript('$ echo in', 'in') } })
  const { recording } = parseRecording(recorded, '/shop.recording.md')
  const { spec } = parseSpec(now, { file: '/shop.test.md', agentDefault: 'claude' })
  const { scenarios } = spec
  const found = scenarios.flatMap((scenario) => [
    ...replaysOf(scenario, { scenarios, recording, keys: keysOf(spec, scenario, () => now) }).values(),
  ])
  expect(found).toEqual(states)
})
