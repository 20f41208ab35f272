import { readdir } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { plainConfig } from '../support/create-project.ts'
import { byItself, projectOfDocuments, type DocumentProject } from '../support/dialect-specs.ts'
import { verdictsOf } from '../support/json-report.ts'
import { lane } from '../support/lane.ts'
import { shownSpecIn } from '../support/report-summary.ts'

/**
 * A Claude Code that runs the command behind WHEN and looks for what stands behind THEN in what it printed. With `liar` in
 * the file `agent` it runs nothing and takes everything for passed; with `blocked` it cannot begin.
 */
const claude = `#!${process.execPath}
const { existsSync, readFileSync, writeFileSync } = require('node:fs')
const { spawnSync } = require('node:child_process')
const prompt = process.argv.at(-1)
const log = /^Result log: (.*)$/m.exec(prompt)[1]
const run = /[0-9a-f]{32}/.exec(prompt)[0]
const title = /^Execute only its section "([^"]*)"/m.exec(prompt)?.[1] ?? 'None'
const text = readFileSync(/^Specification: (.*)$/m.exec(prompt)[1], 'utf8').split('Scenario: ' + title)[1]
const [, command] = /WHEN\\*\\* \`([^\`]*)\`/.exec(text)
const [, words] = /THEN\\*\\* it prints \`([^\`]*)\`/.exec(text)
const say = (line) => console.log(JSON.stringify(line))
const write = (status) => writeFileSync(log, '---\\nstatus: ' + status + '\\nrun: ' + run + '\\n---\\n')
const agent = existsSync('agent') ? readFileSync('agent', 'utf8') : 'honest'
say({ type: 'system', subtype: 'init', session_id: '0', model: 'model-1' })
if (agent === 'liar') write('pass')
else if (agent === 'blocked') {
  const id = /\\b1-[a-z-]+/.exec(prompt)[0]
  write('fail\\nsteps: [{ id: ' + id + ', status: blocked, observed: no shell }]')
}
else {
  const { stdout, stderr } = spawnSync('sh', ['-c', command], { encoding: 'utf8' })
  const content = stdout + stderr || 'nothing'
  say({ type: 'assistant', message: { content: [{ type: 'tool_use', id: 't1', name: 'Bash', input: { command } }] } })
  say({ type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 't1', content }] } })
  write(stdout.includes(words) ? 'pass' : 'fail')
}
`

/** The product without tags, with one of two commands, and as the change wants it. */
const [before, partly, after] = [
  `if (command === 'list') console.log('no notes')`,
  `if (command === 'list') console.log('no notes')\nif (command === 'tag') console.log('tagged')`,
  `if (command === 'list') console.log('no notes')\nif (command === 'tag') console.log('tagged')\nif (command === 'tags') console.log('one tag')`,
].map((commands) => `const [command] = process.argv.slice(2)\n${commands}\n`) as [string, string, string] // of three

const scenario = (name: string, command: string, words: string): string =>
  `#### Scenario: ${name}\n\n- **WHEN** \`node notes.cjs ${command}\` runs\n- **THEN** it prints \`${words}\`\n`
const requirement = (name: string, ...scenarios: readonly string[]): string =>
  `### Requirement: ${name}\n\nThe command SHALL do so.\n\n${scenarios.join('\n')}\n`

const spec = 'openspec/specs/notes/spec.md'
const change = 'openspec/changes/add-tags/specs/notes/spec.md'
const listed = requirement('List', scenario('None', 'list', 'no notes'))
const tags = `## ADDED Requirements\n\n${requirement('Tag', scenario('First tag', 'tag', 'tagged'), scenario('All tags', 'tags', 'one tag'))}`
const files = {
  [spec]: `# notes Specification\n\n## Purpose\n\nNotes are kept.\n\n## Requirements\n\n${listed}`,
  'openspec/changes/add-tags/proposal.md': '# Tags\n',
  [change]: tags,
  'openspec/changes/no-specs/proposal.md': '# None\n',
  'openspec/changes/archive/2026-01-01-done/specs/notes/spec.md': `## ADDED Requirements\n\n${listed}`,
}
const config = plainConfig.replace(
  'mdtest()',
  `mdtest({ agent: 'claude', executor: 'agent', minAssurance: 'claimed', dialects: { openspec: ['openspec/specs/**/spec.md', 'openspec/changes/*/specs/**/spec.md'] } })`,
)

describe('a scenario of a change', () => {
  let opened: DocumentProject
  const build = (product: string): Promise<void> => opened.project.write('notes.cjs', product)
  const set = (agent: string): Promise<void> => opened.project.write('agent', agent)
  beforeAll(async () => {
    opened = await projectOfDocuments({ 'notes.cjs': before, ...files }, claude)
  })
  afterAll(() => opened[Symbol.asyncDispose]())

  test('fails as expected until it is archived, and no reader takes it for proved', async () => {
    const { stdout, all, exitCode } = await opened.run('run', 'openspec', '--reporter=json')
    expect(exitCode, all).toBe(0)
    const report = JSON.parse(stdout) as Report // of Vitest
    const metas = report.testResults.flatMap(({ assertionResults }) => assertionResults.map(({ meta }) => meta.mdtest))
    expect(metas).toHaveLength(3)
    expect(metas.filter((meta) => meta.change === 'add-tags')).toEqual([
      expect.objectContaining({ outcome: 'pass', expected: [expect.objectContaining({ code: 'STEP_FAILED' })] }),
      expect.objectContaining({ outcome: 'pass', expected: [expect.objectContaining({ code: 'STEP_FAILED' })] }),
    ])
    for (const meta of metas) expect('assurance' in meta).toBe(meta.change === undefined)
    expect(all).toContain('steps: 1 passed: 1 observed; 2 failed as expected')
    expect(all).not.toContain('openspec archive')
    const shown = await opened.run('show', change)
    expect(shown.stdout).toContain('failed as expected (change add-tags)')
    expect(shown.stdout).not.toMatch(/\bpass\b/)
  })

  test('may pass early, which is told by every reader and said once', async () => {
    await build(partly)
    const reports = ['--reporter=junit', '--output-file=junit.xml', '--report']
    const { all, exitCode } = await opened.run('run', 'openspec/changes', ...reports)
    expect(exitCode, all).toBe(0)
    const line = 'change add-tags: 1 of 2 scenarios pass already; when all do, archive it: openspec archive add-tags'
    expect(all.split(line), all).toHaveLength(2)
    const [early = '', missing = ''] = (await opened.project.read('junit.xml')).split('<testcase').slice(1)
    expect(early).toContain(
      '<property name="mdtest:early" value="passes already, before the change add-tags is archived"',
    )
    expect(early).toContain('<property name="mdtest:assurance" value="observed"')
    expect(missing).toContain('<property name="mdtest:fails" value="failed as expected: STEP_FAILED')
    expect(missing).toContain('<property name="mdtest:change" value="add-tags"')
    expect(missing).not.toContain('mdtest:assurance')
    const [page = ''] = await readdir(opened.project.path('mdtest-report/specs'))
    const { steps } = shownSpecIn(await opened.project.read(`mdtest-report/specs/${page}`))
    const shown = steps.map(({ titles, outcome, assurance, change, expected }) => ({
      ...{ title: titles.at(-1), outcome, assurance, change },
      isExpected: expected !== undefined,
    }))
    expect(shown).toEqual([
      { title: 'First tag', outcome: 'pass', assurance: 'observed', change: 'add-tags', isExpected: false },
      { title: 'All tags', outcome: 'pass', assurance: undefined, change: 'add-tags', isExpected: true },
    ])
    const list = await opened.run('list', 'openspec')
    expect(list.stdout).toMatch(/Tag > First tag .*change add-tags/)
    expect(list.stdout).not.toMatch(/List > None .*change/)
  })

  test('is not made green by a liar, by an agent that is blocked, or by a block that hangs', async () => {
    const verdicts = async (): Promise<readonly unknown[]> => {
      const { stdout, exitCode } = await opened.run('run', 'openspec/changes', '--reporter=json')
      return [exitCode, verdictsOf(stdout, 'spec.md')]
    }
    await build(before)
    await set('liar')
    expect(await verdicts()).toEqual([1, ['fail NO_ACTIVITY', 'fail NO_ACTIVITY']])
    await set('blocked')
    expect(await verdicts()).toEqual([1, ['blocked AGENT_BLOCKED', 'blocked AGENT_BLOCKED']])
    await set('honest')
    await build(partly)
    const context = '---\n---\n\n## Scenario: First tag\n\n```sh verify timeout=1s\nsleep 60\n```\n'
    await opened.project.write('openspec/mdtest.context.md', context)
    expect(await verdicts()).toEqual([1, ['fail BLOCK_TIMEOUT', 'pass']])
    await opened.project.remove('openspec/mdtest.context.md')
  })

  test('is run by `--change` as its proof, also by `record` and in the command of a gate', async () => {
    await build(partly)
    const red = await opened.run('run', '--change', 'add-tags', '--reporter=json')
    expect(red.exitCode, red.all).toBe(1)
    expect(verdictsOf(red.stdout, 'spec.md')).toEqual(['pass observed', 'fail STEP_FAILED'])
    const proof = await opened.run('record', '--change', 'add-tags')
    expect(proof.all).not.toContain('failed as expected')
    expect(proof.exitCode).toBe(1)
    // What failed as expected is no recording.
    const recorded = await opened.run('record', 'openspec/changes')
    expect(recorded.all).toContain('The step did not pass, and only a pass is recorded.')
    await build(after)
    const command = [lane.node, 'node_modules/vitest-mdtest/dist/bin.js', 'run', '--change', 'add-tags', ...byItself]
    const gate = { commands: { compile: null, lint: null, test: command } }
    await opened.project.write('mdtest.config.json', JSON.stringify(gate))
    const green = await opened.run('gate', '--agent', 'none')
    expect(green.exitCode, green.all).toBe(0)
  })

  test('is expected to fail by Vitest, too, and `--change` finds it past the configuration and in a monorepo', async () => {
    await build(before)
    await opened.project.write('vitest.config.js', config)
    const { all, exitCode } = await opened.vitest('run')
    expect(exitCode, all).toBe(0)
    expect(all).toContain('2 failed as expected')
    const json = await opened.run('list', '--json', '--change', 'add-tags')
    const scenarios = [expect.objectContaining({ change: 'add-tags' }), expect.objectContaining({ change: 'add-tags' })]
    expect(JSON.parse(json.stdout)).toEqual([expect.objectContaining({ scenarios })])
    const inPackage = `packages/a/${change}`
    await opened.project.write(inPackage, tags)
    const args = ['--change=add-tags', '--agent=claude', '-t', 'First tag', '--reporter=json']
    const filesOf = (stdout: string): readonly string[] =>
      (JSON.parse(stdout) as Report).testResults.map(({ name }) => name).toSorted() // of Vitest
    const inBoth = await opened.run('run', ...args)
    expect(filesOf(inBoth.stdout)).toEqual([change, inPackage].map(opened.project.path))
    const inOne = await opened.run('list', '--json', '--change=add-tags', '--dir=packages/a')
    expect(JSON.parse(inOne.stdout)).toMatchObject([{ spec: opened.project.path(inPackage) }])
  })
})

interface Report {
  readonly testResults: readonly {
    readonly name: string
    readonly assertionResults: readonly { readonly meta: { readonly mdtest: Readonly<Record<string, unknown>> } }[]
  }[]
}

test('`--change` says which changes there are, what it cannot run, and why', async () => {
  await using opened = await projectOfDocuments({ 'notes.cjs': after, ...files }, claude)
  const names = [
    'add-tag',
    '../add-tags',
    'add-tags/',
    '*',
    '',
    ' add-tags',
    '-x',
    'archive',
    'archive/2026-01-01-done',
  ]
  for (const name of names) {
    const { stderr, exitCode } = await opened.run('list', `--change=${name}`)
    expect([name, exitCode, stderr]).toEqual([name, 2, expect.stringContaining(`There is no change \`${name}\`.`)])
    expect(stderr).toContain('There are: `add-tags`, `no-specs`.')
  }
  const said: readonly (readonly [args: readonly string[], message: RegExp])[] = [
    [['no-specs'], /The change `no-specs` has no spec: `openspec\/changes\/no-specs\/specs\/…\/spec\.md`/],
    [['add-tags', spec], /`--change` selects all specs of a change, but paths would select others\./],
    [['add-tags', '--include', '*.md'], /`--include` would select others/],
    [
      ['add-tags', '--dir', 'bin'],
      /There is no change `add-tags`\. There is no change at all in `openspec\/changes` under/,
    ],
    [['add-tags', '-t', 'Nowhere'], /list --change add-tags` shows all titles/],
  ]
  for (const [args, message] of said) {
    const { stderr, exitCode } = await opened.run('run', '--change', ...args)
    expect([args, exitCode, stderr]).toEqual([args, 2, expect.stringMatching(message)])
  }
  expect((await opened.run('run', '--change', 'no-specs', '--pass-with-no-tests')).exitCode).toBe(0)
  // Names of folders that look like something else.
  for (const name of ['-x', '[tags]', '$(touch x)']) {
    await opened.project.write(`openspec/changes/${name}/specs/notes/spec.md`, tags)
    const { stdout } = await opened.run('list', '--json', `--change=${name}`)
    expect(JSON.parse(stdout)).toMatchObject([
      { spec: opened.project.path(`openspec/changes/${name}/specs/notes/spec.md`) },
    ])
  }
})
