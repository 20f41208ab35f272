import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CoverageSummary, CoveredSpec } from '../../src/coverage/compute-coverage.ts'
import { projectOfDocuments, readDocument, type DocumentProject } from '../support/dialect-specs.ts'

interface ToldCoverage {
  readonly summary: CoverageSummary
  readonly specs: readonly CoveredSpec[]
}

async function coverage(opened: DocumentProject, ...args: readonly string[]): Promise<ToldCoverage> {
  const { stdout, all } = await opened.run('coverage', '--json', ...args)
  expect(stdout, all).not.toBe('')
  return JSON.parse(stdout)
}

/** Each requirement in one line: its state, its title, and the states of its scenarios. */
function linesOf({ specs }: ToldCoverage): readonly string[] {
  const word = ({ state, isStale }: { readonly state: string; readonly isStale?: true }): string =>
    `${state}${isStale ? ' stale' : ''}`
  return specs.flatMap(({ requirements }) =>
    requirements.map((one) => `${word(one)}: ${one.title}: ${one.scenarios.map(word).join(', ')}`),
  )
}

const spec = 'openspec/specs/notes/spec.md'
const notes = await readDocument('openspec-document')
const change =
  '## ADDED Requirements\n\n### Requirement: Sort Notes\n\nIt SHALL sort.\n\n#### Scenario: Two\n\n- **WHEN** it runs\n- **THEN** they are sorted\n'

describe('what is proved of requirements', () => {
  let opened: DocumentProject
  const lines = async (...args: readonly string[]): Promise<readonly string[]> =>
    linesOf(await coverage(opened, ...args))
  const write = (name: string, text: string): Promise<void> => opened.project.write(name, text)
  beforeAll(async () => {
    opened = await projectOfDocuments({ [spec]: notes, 'openspec/changes/sort/specs/notes/spec.md': change, forge: '' })
  })
  afterAll(() => opened[Symbol.asyncDispose]())

  test('is told by the newest outcomes, which no agent can forge', async () => {
    const before = await coverage(opened)
    expect(linesOf(before)).toEqual(['never-run: Keep Notes: never-run, never-run', 'never-run: Tick Off: never-run'])
    expect(before.summary).toMatchObject({ requirements: 2, covered: 0, percent: 0, assurance: 'evidenced' })
    await opened.run('run', spec, '-t', 'Keep Notes')
    await opened.project.remove('forge')
    const { stdout } = await opened.run('coverage')
    expect(stdout).toMatch(
      /^openspec\/specs\/notes\/spec\.md\n {2}observed Keep Notes :9\n {4}observed First note :15 /,
    )
    expect(stdout).toContain('\n  never run Tick Off :32\n    never run Equal notes :41\n')
    expect(stdout).toContain('2 requirements: 1 observed, 1 never run\ncovered: 0 of 2 (0 %), at least evidenced')
    await opened.run('run', 'openspec/specs')
    expect(await lines()).toEqual(['observed: Keep Notes: observed, observed', 'observed: Tick Off: observed'])
    // One scenario alone: what is known of the others stays.
    await write('status', 'fail')
    await opened.run('run', spec, '-t', 'First note')
    expect(await lines()).toEqual(['failed: Keep Notes: failed, observed', 'observed: Tick Off: observed'])
    await write('status', 'crash')
    await opened.run('run', spec, '-t', 'Tick Off')
    const { summary, specs } = await coverage(opened, '--assurance', 'observed')
    expect(summary).toMatchObject({ states: { failed: 1, blocked: 1, observed: 0 }, covered: 0 })
    expect(specs[0]?.requirements[0]).toMatchObject({
      line: 9,
      scenarios: [{ title: 'First note', line: 15, agent: 'claude' }, { title: 'Equal notes' }],
    })
    expect(specs[0]?.requirements[0]?.scenarios[0]?.endedAt).toMatch(/^\d{4}-\d\d-\d\dT/)
  })

  test('is stale where a requirement or a scenario says something else since', async () => {
    await write('status', 'pass')
    await opened.run('run', 'openspec/specs')
    const rewritten = notes
      .replace('## Purpose\n', '## Purpose\n\nAnother one.\n')
      .replace('tick off the note', 'tick off or take away the note')
    await write(spec, rewritten)
    const told = await coverage(opened, '--assurance', 'observed')
    const tickOff = 'observed stale: Tick Off: observed stale'
    expect(linesOf(told)).toEqual(['observed: Keep Notes: observed, observed', tickOff])
    expect(told.summary).toMatchObject({ stale: 1, covered: 1, percent: 50 })
    await write(spec, rewritten.replace('#### Scenario: First note\n', '$&\n- **GIVEN** a cat\n'))
    expect(await lines()).toEqual(['observed stale: Keep Notes: observed stale, observed', tickOff])
    await write(spec, notes)
  })

  test('fails below a limit, and where a spec has problems', async () => {
    const endOf = async (...args: readonly string[]): Promise<readonly [number | undefined, string]> => {
      const { exitCode, stderr } = await opened.run('coverage', ...args)
      return [exitCode, stderr]
    }
    expect(await endOf('--fail-under', '100', '--assurance', 'observed')).toEqual([0, ''])
    expect(await endOf('--fail-under=50')).toEqual([1, 'mdtest: The coverage is below 50 %.'])
    expect((await endOf('--fail-under=101'))[0]).toBe(2)
    expect((await endOf('--assurance=titles'))[0]).toBe(2)
    await write(spec, notes.replace('## Requirements', '## Wishes'))
    expect(await endOf()).toEqual([1, expect.stringContaining('openspec-sections')])
    await write(spec, notes)
  })

  test('knows a failure that came before any agent, and what a change is to bring where that is named', async () => {
    await write('openspec/mdtest.context.md', '# Notes\n\n## Setup\n\n```sh run\n[ ! -e broken ]\n```\n')
    await write('broken', '')
    await opened.run('run', 'openspec/specs')
    const { summary } = await coverage(opened)
    expect([summary.requirements, summary.states.failed]).toEqual([2, 2])
    await opened.project.remove('broken')
    // What fails as expected is not proved.
    await write('status', 'fail')
    await opened.run('run', 'openspec/changes')
    expect(await lines('openspec/changes')).toEqual(['failed: Sort Notes: failed'])
    await write('status', 'pass')
    await opened.run('run', '--change', 'sort')
    expect(await lines('openspec/changes')).toEqual(['observed: Sort Notes: observed'])
  })
})

test('requirements of Spec Kit that scenarios name, and rules of features, are counted', async () => {
  await using opened = await projectOfDocuments({
    'specs/001-notes/spec.md': await readDocument('spec-kit-document'),
    'features/cart.feature': await readDocument('gherkin-document', 'spec.feature'),
    'own.test.md': '---\nagent: none\n---\n\n# Own\n\n```sh run\ntrue\n```\n',
    status: 'pass',
  })
  await opened.run('run', 'specs', 'features')
  expect(linesOf(await coverage(opened))).toEqual([
    // A scenario without a step.
    'never-run: Cart: observed, never-run',
    `observed: Only adults buy wine: ${Array.from({ length: 5 }, () => 'observed').join(', ')}`,
    'observed: User Story 1 - Keep notes: observed, observed',
    'observed: User Story 2 - Tick off: observed',
    'never-run: FR-001: ',
    'observed: FR-002: observed',
    'never-run: SC-001: ',
  ])
  const { stdout } = await opened.run('coverage', 'specs')
  expect(stdout).toContain(
    '  never run FR-001 The command MUST keep each note in a line of its own. :55\n    no scenario\n',
  )
  const none = await opened.run('coverage', 'own.test.md')
  expect([none.exitCode, none.stderr]).toEqual([2, expect.stringContaining('no spec with requirements')])
})
