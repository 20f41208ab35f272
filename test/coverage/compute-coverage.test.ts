import { expect, test } from 'vitest'
import {
  coverSpec,
  roundPercent,
  summarizeCoverage,
  toldStates,
  type ProofState,
} from '../../src/coverage/compute-coverage.ts'
import { parseSpec } from '../../src/spec/parse-spec.ts'
import type { ScenarioOutcome } from '../../src/records/outcomes/outcome-files.ts'

const spec = `# Notes

## Purpose

Notes are kept in a file, one in a line, by a command that needs nothing else.

## Requirements

### Requirement: Keep

It SHALL keep notes.

#### Scenario: One

- **WHEN** it runs
- **THEN** it prints 1

#### Scenario: Two

- **WHEN** it runs
- **THEN** it prints 2

### Requirement: Keep (2)

It SHALL keep more.

#### Scenario: One

- **WHEN** it runs
- **THEN** it prints 3
`

const context = '\n<!-- the file beside it -->\n\n## Scenario: Two\n\n```console verify\n$ notes\n2\n```\n'

const text = spec + context

/** @param whole the spec, and behind it the file beside it */
const parse = (whole: string) => {
  const [source = '', beside = ''] = whole.split(/(?<=\n)\n(?=<!--)/)
  return parseSpec(source, {
    ...{ file: '/notes/spec.md', dialectOf: () => 'openspec', agentNames: ['claude'] },
    contextFiles: ['/notes/mdtest.context.md'],
    readIncluded: () => Buffer.from(beside),
  }).spec
}

type Became = Pick<ScenarioOutcome, 'outcome' | 'assurance'>

/** The states of both requirements, where their three scenarios became this, and the text is another one now. */
function statesOf(became: readonly (Became | undefined)[], now = text): readonly string[] {
  const before = parse(text)
  const outcomes = new Map(
    before.scenarios.map(({ title, proves = {} }, index) => {
      const known = became[index]
      return [
        title,
        known && { version: 1 as const, spec: '', scenario: title, endedAt: '', proves, ...known },
      ] as const // a pair
    }),
  )
  const { requirements } = coverSpec(parse(now), { path: 'spec.md', outcomeOf: ({ title }) => outcomes.get(title) })
  return requirements.map(({ state, isStale }) => `${state}${isStale ? ' stale' : ''}`)
}

const pass = (assurance?: ScenarioOutcome['assurance']): Became => ({
  outcome: 'pass',
  ...(assurance !== undefined && { assurance }),
})

test.each<readonly [string, readonly (Became | undefined)[], readonly string[]]>([
  ['the weakest assurance', [pass('verified'), pass('observed'), pass('reproduced')], ['observed', 'reproduced']],
  [
    'a failure before all',
    [{ outcome: 'blocked' }, { outcome: 'fail' }, { outcome: 'blocked' }],
    ['failed', 'blocked'],
  ],
  ['never run before any pass', [pass('verified'), undefined, { outcome: 'skipped' }], ['never-run', 'never-run']],
  ['a pass without a word of how it is backed', [pass(), pass('verified'), pass()], ['claimed', 'claimed']],
])('a requirement is %s', (_, became, states) => {
  expect(statesOf(became)).toEqual(states)
})

const all = [pass('verified'), pass('verified'), pass('verified')]

test.each([
  ['its text', 'It SHALL keep notes.', 'It SHALL keep all notes.', ['verified stale', 'verified']],
  ['a check', 'it prints 2', 'it prints two', ['verified stale', 'verified']],
  ['the text of the other one', 'keep more', 'keep much more', ['verified', 'verified stale']],
  ['its title', 'Requirement: Keep\n', 'Requirement: Keep notes\n', ['verified stale', 'verified']],
  ['white space', '- **WHEN** it runs\n', '-  **WHEN**   it runs\n\n', ['verified', 'verified']],
  ['the output that a block beside it expects', '$ notes\n2', '$ notes\n...', ['verified stale', 'verified']],
  ['the place of that block', '-->', '-->\n\nSaid before.', ['verified', 'verified']],
  ['the purpose', 'Notes are', 'All notes are', ['verified', 'verified']],
])('and stale where %s has changed', (_, from, to, states) => {
  expect(statesOf(all, text.replaceAll(from, to))).toEqual(states)
})

test('is never run where a scenario of it has another title now', () => {
  expect(statesOf(all, text.replace('Scenario: Two', 'Scenario: Second'))).toEqual(['never-run', 'verified'])
})

test('numbers count what is proved well enough, and is not stale', () => {
  const states: readonly ProofState[] = ['verified', 'evidenced', 'observed', 'failed', 'blocked', 'never-run']
  const requirements = states.map((state) => ({ title: state, line: 1, state, scenarios: [] }))
  const stale = { title: 'stale', line: 1, state: 'verified', isStale: true, scenarios: [] } as const // a literal state
  const specs = [{ spec: 'a', title: 'A', requirements: [...requirements, stale] }]
  const summary = summarizeCoverage(specs)
  expect(summary).toMatchObject({ requirements: 7, stale: 1, covered: 2, assurance: 'evidenced' })
  expect(summary.states).toMatchObject({ verified: 2, failed: 1, claimed: 0 })
  expect(roundPercent(summary)).toBe(28.5)
  expect(summarizeCoverage(specs, 'observed').covered).toBe(3)
  expect(summarizeCoverage([])).toMatchObject({ requirements: 0, percent: 0 })
  expect(toldStates.slice(0, 2)).toEqual(['verified', 'reproduced'])
})
