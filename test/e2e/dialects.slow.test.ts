import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { capturesSpec, capturesWritten } from '../support/captures-spec.ts'
import { createProject } from '../support/create-project.ts'
import { projectOfDocuments, readDocument } from '../support/dialect-specs.ts'
import { recordByHand, transcript } from '../support/hand-recording.ts'
import { runJest } from '../support/jest-report.ts'
import { readJsonReport, readTestFiles } from '../support/json-report.ts'
import { jest } from '../support/lane.ts'

const feature = `Feature: Cart

  Scenario: Add a mug
    When the visitor adds a mug
    Then the cart shows 1 mug

  Scenario: Empty it
    When the visitor empties the cart
    Then the cart is empty
`
const requirement = `# cart

## Purpose

A visitor collects what she wants to buy, and sees at any time what that is.

## Requirements

### Requirement: Count Mugs

The cart SHALL count mugs.

#### Scenario: One mug

- **WHEN** the visitor adds a mug
- **THEN** the cart shows 1 mug
`
const cart = transcript('$ cat cart.txt', '1 mug')
const spec = 'openspec/specs/cart/spec.md'

test('specs of other tools are replayed from recordings beside them, and coverage knows', async () => {
  await using project = await createProject({
    'cart.txt': '1 mug\n',
    'features/cart.feature': feature,
    'features/cart.recording.md': recordByHand(feature, {
      name: 'features/cart.feature',
      bodies: { 'Add a mug': cart, 'Empty it': cart },
    }),
    [spec]: requirement,
    'openspec/specs/cart/spec.recording.md': recordByHand(requirement, { name: spec, bodies: { 'One mug': cart } }),
  })
  const run = (): ReturnType<typeof project.mdtest> =>
    project.mdtest(['run', 'features', 'openspec/specs', '--replay=only', '--agent=claude'])
  const { all, exitCode } = await run()
  expect(all).toContain('3 passed: 3 reproduced')
  expect(exitCode).toBe(0)
  const covered = async (): Promise<string> => (await project.mdtest(['coverage'])).stdout
  expect(await covered()).toContain('2 requirements: 2 reproduced\ncovered: 2 of 2 (100 %)')
  await project.write('cart.txt', '2 mugs\n')
  expect((await run()).exitCode).toBe(1)
  expect(await covered()).toContain('2 requirements: 2 failed\n')
})

test.skipIf(jest.unavailable !== undefined)(
  'Jest runs features and captured values, each scenario a test at its line',
  async () => {
    const options = "agent: 'claude', dialects: { gherkin: ['features/**/*.feature'] }, replay: 'only'"
    const files = {
      'package.json': '{ "type": "module" }',
      'jest.config.js': `import { mdtest } from 'vitest-mdtest/jest'\nexport default mdtest({ ${options} })\n`,
      'cart.txt': '1 mug\n',
      'features/cart.feature': feature,
      'features/cart.recording.md': recordByHand(feature, {
        name: 'features/cart.feature',
        bodies: { 'Add a mug': cart, 'Empty it': transcript('$ cat cart.txt', 'nothing') },
      }),
      'shop.test.md': capturesSpec,
    }
    await using project = await createProject(files, jest)
    const { specs, all } = await runJest(project)
    const tests = specs['cart.feature']?.tests.map(({ name, status, line }) => [name, status, line])
    expect(tests, all).toEqual([
      ['Add a mug', 'passed', 3],
      ['Empty it', 'failed', 7],
    ])
    const updated = await runJest(project, ['-u', 'shop'])
    expect(updated.specs['shop.test.md']?.tests.map(({ status }) => status)).toEqual(['passed', 'passed'])
    expect(await project.read('shop.test.md')).toContain(capturesWritten)
    const { stdout } = await project.mdtest(['coverage'])
    expect(stdout).toContain('  failed Cart :1\n    reproduced Add a mug :3 ')
  },
)

test('scenarios are chosen by title, tag and folder, and from within the folder of the specs', async () => {
  const notes = await readDocument('openspec-document')
  const notesFile = 'openspec/specs/notes/spec.md'
  const added = `${notes.slice(notes.indexOf('### Requirement: Tick Off')).split('## Notes')[0]}`
  await using opened = await projectOfDocuments({
    [notesFile]: notes,
    'openspec/changes/tick/specs/notes/spec.md': `## ADDED Requirements\n\n${added}`,
    'specs/001-notes/spec.md': await readDocument('spec-kit-document'),
    'features/cart.feature': await readDocument('gherkin-document', 'spec.feature'),
  })
  const passed = async (...args: readonly string[]): Promise<readonly string[]> => {
    const { stdout } = await opened.run('run', '--reporter=json', ...args)
    const tests = readTestFiles(stdout).flatMap((file) => file.tests)
    return tests.flatMap(({ name, status }) => (status === 'passed' ? [name] : [])).toSorted()
  }
  const inTurn = [await passed('openspec/specs', 'specs', '-t', 'Tick'), await passed('specs', '--tags-filter', 'p1')]
  const story = 'User Story 1 - Keep notes > the command runs with add milk'
  const ticks = ['Tick Off > Equal notes', 'User Story 2 - Tick off > the command runs with done 1']
  expect(inTurn).toEqual([ticks, [story, `${story} (FR-002)`]])
  expect(await passed('openspec/changes')).toEqual(['Tick Off > Equal notes'])
  const inside = await opened.run('run', '--dir', 'openspec/specs/notes', opened.project.path(notesFile))
  expect(inside.all).toContain('steps: 3 passed')

  await opened.project.write('features/mdtest.context.md', '## Scenario: Buy `at` all\n\n```sh verify\ntrue\n```\n')
  const bad = await opened.run('list', 'features')
  expect(bad.all).toMatch(/mdtest\.context\.md:1:1 {2}context-scenario {2}No spec .* a scenario "Buy `at` all"\./)
  await opened.project.write('vitest.config.js', 'export default {}\n')
  const init = await opened.run('init')
  expect(init.stdout).toMatch(
    /mdtest\(\{ dialects: \{ .*gherkin: .*'spec-kit': \['specs\/\{0,1,2,3,4,5,6,7,8,9\}\*-\*\/spec\.md'\]/,
  )
})

describe('a plan of Playwright', async () => {
  const plan = await readFile(new URL('../../fixtures/shop/plans/cart.plan.md', import.meta.url), 'utf8')
  const titles = [...plan.matchAll(/^#### (.+)$/gm)].map(([, title]) => title)
  const configFor = (options: object): string =>
    `import { mdtest } from 'vitest-mdtest'\nexport default { plugins: [mdtest(${JSON.stringify(options)})] }\n`
  const files = {
    'specs/README.md': '# Plans\n\nPlans for the shop.\n',
    'specs/index.de.md': '# Alle Pläne\n\nFür den Laden.\n',
    'specs/cart.md': plan,
  }
  const leftOut = 'Left out, because of their names: specs/README.md, specs/index.de.md.'

  test('is a test for each scenario in Vitest, with the tags of its seed, beside pages that tell of specs', async () => {
    await using project = await createProject({
      ...files,
      'vitest.config.js': configFor({ agent: 'browser', include: ['specs/**/*.md'] }),
      'specs/cart.md': plan.replaceAll('tests/seed.spec.ts', 'tests/seed.md'),
      'tests/seed.md': '# Seed\n\n## Log in\n\n<!-- mdtest: tags=login -->\n\nLog in.\n',
    })
    const { stdout, all } = await project.vitest(['run', '--reporter=json', '-t', 'no such title'])
    const report = readJsonReport(stdout)
    expect(Object.keys(report), all).toEqual(['cart.md'])
    const names = report['cart.md']?.map(({ name }) => name.split(' > ').at(-1))
    expect(names?.filter((name) => name !== 'Log in')).toEqual(titles)
    expect(all).toContain(leftOut)
    expect((await project.vitest(['--list-tags'])).stdout).toContain('login')
  })

  test('is read as one with `--agent browser` on the command line alone, or by its front matter', async () => {
    await using project = await createProject({
      ...files,
      'vitest.config.js': configFor({}),
      'shop/plain.md': '# Shop\n\n## Log in\n\nLog in.\n',
    })
    const { stdout, stderr, exitCode } = await project.mdtest(['list', '--json', '--agent', 'browser'])
    const listed: readonly Listed[] = JSON.parse(stdout)
    expect(exitCode, stderr).toBe(0)
    expect(stderr).toContain(leftOut)
    expect(
      listed.map(({ spec: file, agent, scenarios }) => [file, agent, scenarios.map(({ title }) => title)]),
    ).toEqual([
      [project.path('shop/plain.md'), 'browser', ['Shop']],
      [project.path('specs/cart.md'), 'browser', titles],
    ])
    const steps = await project.mdtest(['run', 'specs/cart.md:2', '--agent', 'browser'])
    expect(steps.stderr).toContain(
      'has no step at line 2. `npx vitest-mdtest list specs/cart.md --agent browser` shows',
    )
    // A pattern that ends with the name of a page takes that page.
    await project.write('vitest.config.js', configFor({ agent: 'none', include: ['specs/{cart,README}.md'] }))
    await project.write('specs/cart.md', `---\ndialect: planner\nagent: claude\n---\n\n${plan}`)
    await project.write('specs/README.md', '# Plans\n\n```sh\ntrue\n```\n')
    const named: readonly Listed[] = JSON.parse((await project.mdtest(['list', '--json'])).stdout)
    expect(named.map(({ scenarios }) => scenarios.map(({ title }) => title))).toEqual([['Plans'], titles])
  })

  test('that Vitest cannot load is told of as the plan that it is', async () => {
    await using project = await createProject({
      'vitest.config.js': configFor({ include: ['specs/*.md'] }),
      'specs/cart.md': `${plan.replaceAll('tests/seed.spec.ts', 'tests/seed.md')}\n${'<!-- @'}vitest-environment happy-dom -->\n`,
    })
    const { all, exitCode } = await project.mdtest(['run', '--agent', 'browser'])
    expect(all).toMatch(/^mdtest: specs\/cart\.md did not run:\nspecs\/cart\.md:17:1 {2}planner-seed /m)
    expect(exitCode, all).toBe(1)
  })
})

interface Listed {
  readonly spec: string
  readonly agent: string
  readonly scenarios: readonly { readonly title: string }[]
}
