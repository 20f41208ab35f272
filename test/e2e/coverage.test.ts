import { chmod, readFile } from 'node:fs/promises'
import { beforeAll, expect, test } from 'vitest'
import type { CoverageSummary, CoveredSpec } from '../../src/coverage/coverage.ts'
import { createProject, type Project } from '../support/create-project.ts'

/** A Claude Code that runs a command and finds what the file `status` says, or ends in the middle. */
const claude = `#!${process.execPath}
const { existsSync, readdirSync, readFileSync, writeFileSync } = require('node:fs')
const prompt = process.argv.at(-1)
const log = /^Result log: (.*)$/m.exec(prompt)[1]
const run = /[0-9a-f]{32}/.exec(prompt)[0]
const say = (line) => console.log(JSON.stringify(line))
const status = existsSync('status') ? readFileSync('status', 'utf8') : 'pass'
const outcomes = 'openspec/specs/notes/spec.logs/outcomes/'
if (existsSync('forge') && existsSync(outcomes))
  for (const name of readdirSync(outcomes))
    writeFileSync(outcomes + name, readFileSync(outcomes + name, 'utf8').replace('observed', 'verified'))
say({ type: 'system', subtype: 'init', session_id: '0', model: 'model-1' })
say({ type: 'assistant', message: { content: [{ type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'notes' } }] } })
say({ type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 't1', content: '1 note' }] } })
if (status === 'crash') process.kill(process.pid, 'SIGKILL')
else writeFileSync(log, '---\\nstatus: ' + status + '\\nrun: ' + run + '\\n---\\n')
`

interface OpenedProject extends AsyncDisposable {
  readonly project: Project
  run(...args: readonly string[]): ReturnType<Project['mdtest']>
  coverage(...args: readonly string[]): Promise<ToldCoverage>
}

interface ToldCoverage {
  readonly summary: CoverageSummary
  readonly specs: readonly CoveredSpec[]
}

async function projectOf(files: Readonly<Record<string, string>>): Promise<OpenedProject> {
  const project = await createProject({ 'bin/claude': claude, 'bin/package.json': '{}\n', ...files })
  await chmod(project.path('bin/claude'), 0o755)
  const env = { PATH: `${project.path('bin')}:${process.env.PATH}` }
  const run: OpenedProject['run'] = (...args) => project.mdtest(args, { env })
  return {
    project,
    run,
    async coverage(...args) {
      const { stdout, all } = await run('coverage', '--json', ...args)
      expect(stdout, all).not.toBe('')
      return JSON.parse(stdout)
    },
    [Symbol.asyncDispose]: () => project[Symbol.asyncDispose](),
  }
}

/** Each requirement in one line: its state, its title, and the states of its scenarios. */
function linesOf({ specs }: ToldCoverage): readonly string[] {
  const word = ({ state, isStale }: { readonly state: string; readonly isStale?: true }): string =>
    `${state}${isStale ? ' stale' : ''}`
  return specs.flatMap(({ requirements }) =>
    requirements.map((one) => `${word(one)}: ${one.title}: ${one.scenarios.map(word).join(', ')}`),
  )
}

/** A document of the fixtures, without its front matter. */
async function readFixture(name: string, file = 'spec.md'): Promise<string> {
  const text = await readFile(new URL(`../../fixtures/specs/${name}/${file}`, import.meta.url), 'utf8')
  return text.replace(/^---\n[^]*?\n---\n\n/, '')
}

const spec = 'openspec/specs/notes/spec.md'
let notes = ''
beforeAll(async () => {
  notes = await readFixture('openspec-document')
})

test('tells what is proved of each requirement, by the newest outcomes', async () => {
  await using opened = await projectOf({ [spec]: notes })
  const before = await opened.coverage()
  expect(linesOf(before)).toEqual(['never-run: Keep Notes: never-run, never-run', 'never-run: Tick Off: never-run'])
  expect(before.summary).toMatchObject({ requirements: 2, covered: 0, percent: 0, assurance: 'evidenced' })

  await opened.run('run', 'openspec/specs')
  expect(linesOf(await opened.coverage())).toEqual([
    'observed: Keep Notes: observed, observed',
    'observed: Tick Off: observed',
  ])
  // One scenario alone: what is known of the others stays.
  await opened.project.write('status', 'fail')
  await opened.run('run', spec, '-t', 'First note')
  expect(linesOf(await opened.coverage())).toEqual([
    'failed: Keep Notes: failed, observed',
    'observed: Tick Off: observed',
  ])
  await opened.project.write('status', 'crash')
  await opened.run('run', spec, '-t', 'Tick Off')
  const { summary, specs } = await opened.coverage('--assurance', 'observed')
  expect(summary).toMatchObject({ states: { failed: 1, blocked: 1, observed: 0 }, covered: 0 })
  expect(specs[0]?.requirements[0]).toMatchObject({
    line: 9,
    scenarios: [{ title: 'First note', line: 15, agent: 'claude' }, { title: 'Equal notes' }],
  })
  expect(specs[0]?.requirements[0]?.scenarios[0]?.endedAt).toMatch(/^\d{4}-\d\d-\d\dT/)
  expect(await opened.project.read(spec)).toBe(notes)
})

test('is stale where a requirement or a scenario says something else since', async () => {
  await using opened = await projectOf({ [spec]: notes })
  await opened.run('run', 'openspec/specs')
  await opened.project.write(spec, notes.replace('## Purpose\n', '## Purpose\n\nAnother one.\n'))
  expect(linesOf(await opened.coverage()).join()).not.toContain('stale')
  await opened.project.write(spec, notes.replace('tick off the note', 'tick off or take away the note'))
  const { summary, specs } = await opened.coverage('--assurance', 'observed')
  expect(linesOf({ summary, specs })).toEqual([
    'observed: Keep Notes: observed, observed',
    'observed stale: Tick Off: observed stale',
  ])
  expect(summary).toMatchObject({ stale: 1, covered: 1, percent: 50 })
  await opened.run('run', spec, '-t', 'Tick Off')
  expect((await opened.coverage()).summary.stale).toBe(0)
  const changed = (await opened.project.read(spec)).replace('#### Scenario: First note\n', '$&\n- **GIVEN** a cat\n')
  await opened.project.write(spec, changed)
  expect(linesOf(await opened.coverage())[0]).toBe('observed stale: Keep Notes: observed stale, observed')
})

test('knows a failure that came before any agent', async () => {
  const context = '# Notes\n\n## Setup\n\n```sh run\n[ ! -e broken ]\n```\n'
  await using opened = await projectOf({ [spec]: notes, 'openspec/mdtest.context.md': context })
  await opened.run('run', 'openspec/specs')
  expect((await opened.coverage()).summary.states.observed).toBe(2)
  await opened.project.write('broken', '')
  await opened.run('run', 'openspec/specs')
  expect((await opened.coverage()).summary.states.failed).toBe(2)
})

test('does not believe what an agent writes over the outcomes of its run', async () => {
  await using opened = await projectOf({ [spec]: notes, forge: '' })
  await opened.run('run', 'openspec/specs')
  expect((await opened.coverage()).summary.states).toMatchObject({ observed: 2, verified: 0 })
})

test('prints it, and fails below a limit', async () => {
  await using opened = await projectOf({ [spec]: notes })
  await opened.run('run', spec, '-t', 'Keep Notes')
  const { stdout, exitCode } = await opened.run('coverage')
  expect(exitCode).toBe(0)
  expect(stdout).toMatch(/^openspec\/specs\/notes\/spec\.md\n {2}observed Keep Notes :9\n {4}observed First note :15 /)
  expect(stdout).toContain('\n  never run Tick Off :32\n    never run Equal notes :41\n')
  expect(stdout).toContain('2 requirements: 1 observed, 1 never run\ncovered: 0 of 2 (0 %), at least evidenced')
  const endOf = async (...args: readonly string[]): Promise<readonly [number | undefined, string]> => {
    const { exitCode: code, stderr } = await opened.run('coverage', ...args)
    return [code, stderr]
  }
  expect(await endOf('--fail-under', '50', '--assurance', 'observed')).toEqual([0, ''])
  expect(await endOf('--fail-under=50')).toEqual([1, 'mdtest: The coverage is below 50 %.'])
  expect(await endOf('--fail-under=51', '--assurance=observed')).toEqual([1, 'mdtest: The coverage is below 51 %.'])
  expect((await endOf('--fail-under=101'))[0]).toBe(2)
  expect((await endOf('--assurance=titles'))[0]).toBe(2)
  await opened.project.write(spec, notes.replace('## Requirements', '## Wishes'))
  const [code, said] = await endOf()
  expect([code, said]).toEqual([1, expect.stringContaining('openspec-sections')])
})

test('leaves out what a change is to bring, unless that is named', async () => {
  const change =
    '## ADDED Requirements\n\n### Requirement: Sort Notes\n\nIt SHALL sort.\n\n#### Scenario: Two\n\n- **WHEN** it runs\n- **THEN** they are sorted\n'
  await using opened = await projectOf({ [spec]: notes, 'openspec/changes/sort/specs/notes/spec.md': change })
  await opened.project.write('status', 'fail')
  await opened.run('run', 'openspec/changes')
  expect((await opened.coverage()).summary.requirements).toBe(2)
  // What fails as expected is not proved.
  expect(linesOf(await opened.coverage('openspec/changes'))).toEqual(['failed: Sort Notes: failed'])
  await opened.project.write('status', 'pass')
  await opened.run('run', '--change', 'sort')
  expect(linesOf(await opened.coverage('openspec/changes'))).toEqual(['observed: Sort Notes: observed'])
})

test('counts requirements of Spec Kit that scenarios name, and rules of features', async () => {
  await using opened = await projectOf({
    'specs/001-notes/spec.md': await readFixture('spec-kit-document'),
    'features/cart.feature': await readFixture('gherkin-document', 'spec.feature'),
    'own.test.md': '---\nagent: none\n---\n\n# Own\n\n```sh run\ntrue\n```\n',
  })
  await opened.run('run', 'specs', 'features')
  expect(linesOf(await opened.coverage())).toEqual([
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
