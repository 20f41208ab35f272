import { expect, it } from 'vitest'
import { describePart, refusePart } from '../../../src/plan/recordings/record-run.ts'
import { parseSpec } from '../../../src/spec/parse-spec.ts'
import type { Scenario, Spec } from '../../../src/spec/spec.ts'

function open(text: string): { readonly spec: Spec; readonly scenario: Scenario } {
  const { spec } = parseSpec(text, { file: '/project/my notes.test.md', agentDefault: 'claude' })
  const [scenario] = spec.scenarios
  if (scenario === undefined) throw new Error('no scenario')
  return { spec, scenario }
}

const skipped = '## Later\n\n<!-- mdtest: skip="not yet" -->\n\nDo it.\n\n## To do\n'
const one = open(`# Notes\n\n## Add\n\nAdd it.\n\n## List\n\nList it.\n\n${skipped}`)

it('names a command that records all of it', () => {
  expect(describePart(one.scenario, { ...one, root: '/project' })).toMatch(
    /`npx vitest-mdtest record 'my notes.test.md:1'`\.$/,
  )
})

it.each(['write', 'check'] as const)(
  'refuses a part before an agent works, of `mdtest record` alone: %s',
  (command) => {
    const record = { command, keys: [], mayHaveObsolete: false, known: '' }
    const refuse = (selected: readonly number[], more: Partial<Parameters<typeof refusePart>[1]> = {}) =>
      refusePart(one.scenario, { ...one, record, ...more }, { root: '/project', selected: new Set(selected) })
    expect(refuse([1])).toMatch(/^NOT_ELIGIBLE: Only a part /)
    expect(refuse([2])).toBeUndefined()
    const { command: _command, ...tests } = record
    expect(refuse([1], { record: tests })).toBeUndefined()
    // Repeated without an agent, a part costs nothing.
    const replayed = { ...one.scenario, children: [] }
    expect(
      refuse([1], { replay: { mode: 'auto', isComplete: true, scenarios: { 1: replayed }, stale: {} } }),
    ).toBeUndefined()
  },
)
