import { expect, it } from 'vitest'
import { describePart, isWholeRun, refusePart } from '../../../src/plan/recordings/whole-run.ts'
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
const coded = open('# Notes\n\n## Add\n\nAdd it.\n\n## Look\n\n```sh verify\ncat notes\n```\n')

it.each([
  [one, [1], false],
  [one, [2], true],
  [one, [1, 2], true],
  [one, [], false],
  [coded, [1], false],
  [coded, [2], true],
] as const)('knows whether a run carries out all of a scenario: %#', ({ scenario }, selected, isWhole) => {
  expect(isWholeRun(scenario, new Set(selected))).toBe(isWhole)
})

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
      refusePart(one.scenario, { ...one, root: '/project', selected: new Set(selected), record, ...more })
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
