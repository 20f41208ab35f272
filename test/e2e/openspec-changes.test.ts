import { chmod, readdir } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { createProject, plainConfig, type Finished, type Project } from '../support/create-project.ts'
import { verdictsOf } from '../support/json-report.ts'
import { lane } from '../support/lane.ts'

/**
 * A Claude Code that runs the command behind WHEN and looks for what stands behind THEN in what it printed. With AGENT=liar
 * it runs nothing and takes everything for passed; with AGENT=blocked it cannot begin.
 */
const claude = `#!${process.execPath}
const { readFileSync, writeFileSync } = require('node:fs')
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
say({ type: 'system', subtype: 'init', session_id: '0', model: 'model-1' })
if (process.env.AGENT === 'liar') write('pass')
else if (process.env.AGENT === 'blocked') {
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

const notes = (commands: string): string => `const [command] = process.argv.slice(2)\n${commands}\n`
const before = notes(`if (command === 'list') console.log('no notes')`)
const partly = notes(`if (command === 'list') console.log('no notes')\nif (command === 'tag') console.log('tagged')`)
const after = notes(
  `if (command === 'list') console.log('no notes')\nif (command === 'tag') console.log('tagged')\nif (command === 'tags') console.log('one tag')`,
)

const scenario = (name: string, command: string, words: string): string =>
  `#### Scenario: ${name}\n\n- **WHEN** \`node notes.cjs ${command}\` runs\n- **THEN** it prints \`${words}\`\n`
const requirement = (name: string, ...scenarios: readonly string[]): string =>
  `### Requirement: ${name}\n\nThe command SHALL do so.\n\n${scenarios.join('\n')}\n`

const spec = 'openspec/specs/notes/spec.md'
const change = 'openspec/changes/add-tags/specs/notes/spec.md'
const listed = requirement('List', scenario('None', 'list', 'no notes'))
const files = {
  'notes.cjs': before,
  [spec]: `# notes Specification\n\n## Purpose\n\nNotes are kept.\n\n## Requirements\n\n${listed}`,
  'openspec/changes/add-tags/proposal.md': '# Tags\n',
  [change]: `## ADDED Requirements\n\n${requirement('Tag', scenario('First tag', 'tag', 'tagged'), scenario('All tags', 'tags', 'one tag'))}`,
  'openspec/changes/no-specs/proposal.md': '# None\n',
  'openspec/changes/archive/2026-01-01-done/specs/notes/spec.md': `## ADDED Requirements\n\n${listed}`,
}

interface OpenedProject extends AsyncDisposable {
  readonly project: Project
  run(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Finished>
}

async function open(more: Readonly<Record<string, string>> = {}): Promise<OpenedProject> {
  const project = await createProject({ 'bin/claude': claude, 'bin/package.json': '{}\n', ...files, ...more })
  await chmod(project.path('bin/claude'), 0o755)
  const PATH = `${project.path('bin')}:${process.env.PATH}`
  return {
    project,
    run: (args, env = {}) => project.mdtest(args, { env: { PATH, ...env } }),
    [Symbol.asyncDispose]: () => project[Symbol.asyncDispose](),
  }
}

const config = plainConfig.replace(
  'mdtest()',
  `mdtest({ agent: 'claude', dialects: { openspec: ['openspec/specs/**/spec.md', 'openspec/changes/*/specs/**/spec.md'] } })`,
)

describe('a scenario of a change, until it is archived', () => {
  test('fails as expected, and no reader takes it for proved', async () => {
    await using opened = await open()
    const { stdout, all, exitCode } = await opened.run(['run', 'openspec', '--reporter=json'])
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

    const shown = await opened.run(['show', change])
    expect(shown.stdout).toContain('failed as expected (change add-tags)')
    expect(shown.stdout).not.toMatch(/\bpass\b/)
  })

  test('is told so by JUnit and in the report', async () => {
    await using opened = await open({ 'notes.cjs': partly })
    const reports = ['--reporter=junit', '--output-file=junit.xml', '--report']
    const { all, exitCode } = await opened.run(['run', 'openspec/changes', ...reports])
    expect(exitCode, all).toBe(0)
    const junit = await opened.project.read('junit.xml')
    const [early = '', missing = ''] = junit.split('<testcase').slice(1)
    expect(early).toContain(
      '<property name="mdtest:early" value="passes already, before the change add-tags is archived"',
    )
    expect(early).toContain('<property name="mdtest:assurance" value="observed"')
    expect(missing).toContain('<property name="mdtest:fails" value="failed as expected: STEP_FAILED')
    expect(missing).toContain('<property name="mdtest:change" value="add-tags"')
    expect(missing).not.toContain('mdtest:assurance')
    const [page = ''] = await readdir(opened.project.path('mdtest-report/specs'))
    const text = (await opened.project.read(`mdtest-report/specs/${page}`)).replaceAll(/<[^>]+>|\\u003c.+?\\u003e/g, '')
    expect(text).toContain('Scenario: First tag passed observed agent early, change add-tags')
    expect(text).toContain('Scenario: All tags failed as expected agent change add-tags')
  })

  test('may pass early, which is said once', async () => {
    await using opened = await open({ 'notes.cjs': partly })
    const { stdout, all, exitCode } = await opened.run(['run', 'openspec/changes'])
    expect(exitCode, all).toBe(0)
    const line = 'change add-tags: 1 of 2 scenarios pass already; when all do, archive it: openspec archive add-tags'
    expect(stdout.split(line)).toHaveLength(2)
    expect(all).toContain('steps: 1 passed: 1 observed; 1 failed as expected')
    await opened.run(['run', `${change}:7`])
    const shown = await opened.run(['show', change])
    expect(shown.stdout).toMatch(/pass observed early \(change add-tags\)/)
  })

  test('is not made green by a liar, by an agent that is blocked, or by a block that hangs', async () => {
    const context = '---\n---\n\n## Scenario: First tag\n\n```sh verify timeout=1s\nsleep 60\n```\n'
    await using opened = await open()
    const verdicts = async (agent: string): Promise<readonly (readonly string[] | number | undefined)[]> => {
      const { stdout, exitCode } = await opened.run(['run', 'openspec/changes', '--reporter=json'], { AGENT: agent })
      return [exitCode, verdictsOf(stdout, 'spec.md')]
    }
    expect(await verdicts('liar')).toEqual([1, ['fail NO_ACTIVITY', 'fail NO_ACTIVITY']])
    expect(await verdicts('blocked')).toEqual([1, ['blocked AGENT_BLOCKED', 'blocked AGENT_BLOCKED']])
    await opened.project.write('notes.cjs', partly)
    await opened.project.write('openspec/mdtest.context.md', context)
    expect(await verdicts('honest')).toEqual([1, ['fail BLOCK_TIMEOUT', 'pass']])
  })

  test('is expected to fail by Vitest and in a list, too', async () => {
    await using opened = await open({ 'vitest.config.js': config })
    const PATH = `${opened.project.path('bin')}:${process.env.PATH}`
    const { all, exitCode } = await opened.project.vitest(['run'], { env: { PATH } })
    expect(exitCode, all).toBe(0)
    expect(all).toContain('2 failed as expected')
    const list = await opened.run(['list'])
    expect(list.stdout).toMatch(/Tag > First tag .*change add-tags/)
    expect(list.stdout).not.toMatch(/List > None .*change/)
    const json = await opened.run(['list', '--json', '--change', 'add-tags'])
    expect(JSON.parse(json.stdout)).toEqual([
      expect.objectContaining({
        scenarios: [expect.objectContaining({ change: 'add-tags' }), expect.objectContaining({ change: 'add-tags' })],
      }),
    ])
  })
})

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly meta: { readonly mdtest: Readonly<Record<string, unknown>> } }[]
  }[]
}

describe('`--change`', () => {
  test.for([
    ['without a configuration', {}],
    ['with one that has no dialects', { 'vitest.config.js': plainConfig }],
    ['with one that includes changes', { 'vitest.config.js': config }],
  ] as const)('runs the specs of a change as its proof %s', async ([, more]) => {
    await using opened = await open({ ...more, 'notes.cjs': partly })
    const red = await opened.run(['run', '--change', 'add-tags', '--reporter=json'])
    expect(red.exitCode, red.all).toBe(1)
    expect(verdictsOf(red.stdout, 'spec.md')).toEqual(['pass observed', 'fail STEP_FAILED'])
    await opened.project.write('notes.cjs', after)
    const green = await opened.run(['run', '--change', 'add-tags'])
    expect(green.exitCode, green.all).toBe(0)
    expect(green.stdout).toContain('steps: 2 passed: 2 observed')
    expect(green.stdout).not.toContain('already')
  })

  test('goes with other flags, and finds each folder of a monorepo', async () => {
    const inPackage = `packages/a/${change}`
    await using opened = await open({ [inPackage]: files[change] })
    const args = ['run', '--change=add-tags', '--agent=claude', '-t', 'First tag', '--reporter=json']
    const { stdout, exitCode } = await opened.run(args)
    expect(exitCode).toBe(1)
    const { testResults } = JSON.parse(stdout) as { testResults: readonly { name: string }[] } // of Vitest
    expect(testResults.map(({ name }) => name).toSorted()).toEqual([change, inPackage].map(opened.project.path))
    const inOne = await opened.run(['run', '--change=add-tags', '--dir=packages/a', '--reporter=json'])
    expect(JSON.parse(inOne.stdout)).toMatchObject({ testResults: [{ name: opened.project.path(inPackage) }] })
  })

  test.for([
    'add-tag',
    '../add-tags',
    'add-tags/',
    '*',
    'add-*',
    '',
    ' add-tags',
    '-x',
    'archive',
    'archive/2026-01-01-done',
    '2026-01-01-done',
  ])('says of `%s` that there is no such change, and which there are', async (name) => {
    await using opened = await open()
    for (const command of ['run', 'list']) {
      const { stderr, exitCode } = await opened.run([command, `--change=${name}`])
      expect(exitCode).toBe(2)
      expect(stderr).toContain(`There is no change \`${name}\`.`)
      expect(stderr).toContain('There are: `add-tags`, `no-specs`.')
    }
  })

  test('says what it cannot run, and why', async () => {
    await using opened = await open()
    const none = await opened.run(['run', '--change', 'no-specs'])
    expect(none.stderr).toContain('The change `no-specs` has no spec: `openspec/changes/no-specs/specs/…/spec.md`')
    expect(none.exitCode).toBe(2)
    expect((await opened.run(['run', '--change', 'no-specs', '--pass-with-no-tests'])).exitCode).toBe(0)
    const path = await opened.run(['run', '--change', 'add-tags', spec])
    expect(path.stderr).toContain('`--change` is all specs of a change, and paths would choose others.')
    expect(path.exitCode).toBe(2)
    const include = await opened.run(['run', '--change', 'add-tags', '--include', '*.md'])
    expect(include.stderr).toContain('`--include` would choose others')
    const empty = await opened.run(['run', '--change', 'add-tags', '--dir', 'bin'])
    expect(empty.stderr).toMatch(
      /There is no change `add-tags`\. There is no change at all in `openspec\/changes` under/,
    )
    const nothing = await opened.run(['run', '--change', 'add-tags', '-t', 'Nowhere'])
    expect(nothing.stderr).toContain('list --change add-tags` shows all titles')
  })

  test('is a flag of `mdtest record`, and what failed as expected is no recording', async () => {
    await using opened = await open()
    const proof = await opened.run(['record', '--change', 'add-tags'])
    expect(proof.all).toContain('STEP_FAILED')
    expect(proof.all).not.toContain('failed as expected')
    expect(proof.exitCode).toBe(1)
    const expected = await opened.run(['record', 'openspec/changes'])
    expect(expected.all).toContain('steps: 0 passed; 2 failed as expected')
    expect(expected.all).toContain('The step did not pass, and only a pass is recorded.')
    expect(expected.exitCode).toBe(1)
  })

  test('stands in the command of a gate', async () => {
    const command = [lane.node, 'node_modules/vitest-mdtest/dist/bin.js', 'run', '--change', 'add-tags']
    const gate = JSON.stringify({ commands: { compile: null, lint: null, test: command } })
    await using opened = await open({ 'mdtest.config.json': gate })
    const red = await opened.run(['gate', '--agent', 'none'])
    expect(red.stdout).toContain('Tag > First tag')
    expect(red.exitCode, red.all).toBe(1)
    await opened.project.write('notes.cjs', after)
    const green = await opened.run(['gate', '--agent', 'none'])
    expect(green.exitCode, green.all).toBe(0)
  })

  test('takes names of folders that look like something else', async () => {
    const names = ['a b', '-x', '[tags]', '$(touch x)']
    const changes = names.map((name) => [`openspec/changes/${name}/specs/notes/spec.md`, files[change]] as const) // pairs
    await using opened = await open({ 'notes.cjs': after, ...Object.fromEntries(changes) })
    for (const name of names) {
      const { stdout, exitCode } = await opened.run(['run', `--change=${name}`])
      expect([name, exitCode]).toEqual([name, 0])
      expect(stdout).toContain('steps: 2 passed')
    }
  })
})
