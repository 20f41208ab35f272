import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { createProject, type Project } from '../support/create-project.ts'

const feature = await readFile(new URL('../../fixtures/specs/gherkin-document/spec.feature', import.meta.url), 'utf8')

/** Keeps its prompts. Knows no answer for minors, where `broken` is there. */
const agent = `import { appendFileSync, existsSync, writeFileSync } from 'node:fs'
const [log, prompt] = process.argv.slice(2)
appendFileSync('prompts', prompt + '\\n')
const status = existsSync('broken') && prompt.includes('age = "17"') ? 'fail' : 'pass'
writeFileSync(log, '---\\nstatus: ' + status + '\\nrun: "' + /[0-9a-f]{32}/.exec(prompt)[0] + '"\\n---\\n')
`

const create = (options = ''): Promise<Project> =>
  createProject({
    'vitest.config.js': `import { mdtest } from 'vitest-mdtest'\nexport default { plugins: [mdtest({ agent: { command: [${JSON.stringify(process.execPath)}, 'agent.mjs', '{log}', '{prompt}'] }, ${options} })] }\n`,
    'agent.mjs': agent,
    'features/cart.feature': feature,
    'features/step_definitions/cart.js': 'throw new Error("is not for mdtest")\n',
  })

const rule = 'Only adults buy wine'

test('features in a folder run without configuration, and a line is a scenario, a row or an outline', async () => {
  await using project = await create()
  const { stdout } = await project.mdtest(['list', '--json', 'features'])
  const [listed]: readonly { scenarios: readonly { title: string; line: number }[] }[] = JSON.parse(stdout)
  expect(listed?.scenarios.map(({ line, title }) => [line, title])).toEqual([
    [11, 'Add a mug'],
    [22, 'Pay later'],
    [37, 'Buy at <age>: Buy at 18'],
    [38, 'Buy at <age>: Buy at 99'],
    [42, 'Buy at <age>: Buy at 17'],
    [51, 'Buy beer: dark'],
    [52, 'Buy beer: ""'],
  ])

  await project.write('broken', '')
  const run = await project.mdtest(['run', 'features', '--reporter=junit', '--output-file=junit.xml'])
  expect(run.exitCode, run.all).toBe(1)
  const junit = await project.read('junit.xml')
  expect(junit).toContain('tests="7" failures="1"')
  const names = [...junit.matchAll(/<testcase [^>]*?\bname="([^"]*)"/g)].map(([, name]) => name)
  expect(names).toEqual([
    'Add a mug',
    'Pay later',
    ...['18', '99', '17'].map((age) => `${rule} &gt; Buy at &lt;age&gt; &gt; Buy at ${age}`),
    `${rule} &gt; Buy beer &gt; dark`,
    `${rule} &gt; Buy beer &gt; &quot;&quot;`,
  ])
  expect(await project.read('features/cart.feature')).toBe(feature)

  const passedOf = async (line: number): Promise<string> => {
    await project.write('prompts', '')
    const { all: said } = await project.mdtest(['run', `features/cart.feature:${line}`])
    expect(said).not.toContain('has no step')
    return [...(await project.read('prompts')).matchAll(/^- 1-.*$/gm)].join('\n')
  }
  expect(await passedOf(15)).toBe('- 1-add-a-mug: Add a mug (3 checks)')
  expect(await passedOf(38)).toBe('- 1-buy-at-99: Buy at <age>, with age = "99", answer = "Thanks" (1 check)')
  expect(await project.read('prompts')).toContain('"Buy at <age>: Buy at 99" (lines 6-7, 27-28, 30-32, 35-36, 38).')
  expect((await passedOf(45)).split('\n')).toHaveLength(2)
  expect(await project.read('prompts')).toContain('  - check 2: it is cold')
  const promoted = await project.mdtest(['promote', 'features/cart.feature:11'])
  expect(promoted.stderr).toContain('features/cart.feature: it is no markdown, so it holds no blocks.')
})

test('as a part of the project, Vitest chooses by title, and says what Cucumber rejects', async () => {
  await using project = await create("dialects: { gherkin: ['features/**/*.feature'] }")
  const { all, exitCode } = await project.vitest(['run', '-t', 'Buy at <age>'])
  expect(exitCode, all).toBe(0)
  expect(all).toContain('3 passed')
  const tags = await project.vitest(['--list-tags'])
  for (const tag of ['shop', 'fast', 'issue-12-', 'old']) expect(tags.stdout).toContain(tag)

  await project.write('features/cart.feature', feature.replace('Then the cart shows', 'Thn the cart shows'))
  const bad = await project.vitest(['run'])
  expect(bad.exitCode).toBe(1)
  expect(bad.all).toMatch(/features\/cart\.feature:13:5 {2}gherkin-syntax {2}Cucumber cannot read this: `Thn the cart/)
})

test('a file beside them says how the product is run, also for an outline by its title', async () => {
  await using project = await create()
  const sidecar = [
    '---\nenv: { WORD: hello }\n---\n\nBegin with `node shop.mjs`.\n',
    '## Setup\n\n```sh run\necho setup >> trace\n```\n',
    '## Scenario: Buy at <age>\n\n```sh verify\necho "$WORD" >> trace; test ! -e broken\n```\n',
  ]
  await project.write('features/mdtest.context.md', sidecar.join('\n'))
  const args = ['run', 'features', '-t', 'Buy at', '--reporter=junit', '--output-file=junit.xml']
  const passed = await project.mdtest(args)
  expect(passed.exitCode, passed.all).toBe(0)
  expect(await project.read('trace')).toBe('setup\nhello\n'.repeat(3))
  expect(await project.read('prompts')).toMatch(/^Included: .*features\/mdtest\.context\.md$/m)
  await project.write('broken', '')
  const failed = await project.mdtest(args)
  expect(failed.exitCode, failed.all).toBe(1)
  expect((await project.read('junit.xml')).match(/VERIFY_FAILED/g)?.length).toBeGreaterThanOrEqual(3)

  await project.write('features/mdtest.context.md', '## Scenario: Buy `at` all\n\n```sh verify\ntrue\n```\n')
  const bad = await project.mdtest(['list', 'features'])
  expect(bad.all).toMatch(/mdtest\.context\.md:1:1 {2}context-scenario {2}No spec .* a scenario "Buy `at` all"\./)
})
