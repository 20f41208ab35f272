import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { createProject } from '../support/create-project.ts'
import { readJsonReport } from '../support/json-report.ts'

const cart = await readFile(new URL('../../fixtures/shop/plans/cart.plan.md', import.meta.url), 'utf8')
const titles = [...cart.matchAll(/^#### (.+)$/gm)].map(([, title]) => title)

const configFor = (options: object): string =>
  `import { mdtest } from 'vitest-mdtest'\nexport default { plugins: [mdtest(${JSON.stringify(options)})] }\n`

const files = {
  'specs/README.md': '# Plans\n\nPlans for the shop.\n',
  'specs/plans.md': '# All plans\n\nOne for each part.\n\n- [Cart](cart.md): prices, too\n- [Cart](cart.md#prices)\n',
  'specs/cart.md': cart,
}

test('Vitest has a test for each scenario of a plan, and none for pages that tell of specs', async () => {
  const config = configFor({ agent: 'browser', include: ['specs/**/*.md'] })
  await using project = await createProject({ 'vitest.config.js': config, ...files })
  const { stdout, all } = await project.vitest(['run', '--reporter=json', '-t', 'no such title'])
  const report = readJsonReport(stdout)
  expect(Object.keys(report), all).toEqual(['cart.md'])
  expect(report['cart.md']?.map(({ name }) => name)).toEqual(titles)
  expect(all).toContain('Left out, because they tell of specs and are none: specs/README.md, specs/plans.md.')
})

test('another agent has it in front matter, and a pattern that ends with the name of a page takes that page', async () => {
  const config = configFor({ agent: 'none', include: ['specs/{cart,README}.md'] })
  const named = `---\ndialect: planner\nagent: claude\n---\n\n${cart}`
  await using project = await createProject({
    ...files,
    'vitest.config.js': config,
    'specs/cart.md': named,
    'specs/README.md': '# Plans\n\n```sh\ntrue\n```\n',
  })
  const { stdout, all } = await project.mdtest(['list', '--json'])
  const listed: readonly { spec: string; scenarios: readonly { title: string }[] }[] = JSON.parse(stdout)
  expect(listed, all).toHaveLength(2)
  expect(listed.find(({ spec }) => spec.endsWith('cart.md'))?.scenarios.map(({ title }) => title)).toEqual(titles)
})

test('with `--agent browser` on the command line alone, each command reads the same scenarios', async () => {
  await using project = await createProject({
    ...files,
    'vitest.config.js': configFor({}),
    'shop/plain.md': '# Shop\n\n## Log in\n\nLog in.\n',
  })
  const { stdout, stderr, exitCode } = await project.mdtest(['list', '--json', '--agent', 'browser'])
  const listed: readonly { spec: string; agent: string; scenarios: readonly { title: string }[] }[] = JSON.parse(stdout)
  expect(exitCode, stderr).toBe(0)
  expect(stderr).toContain('Left out, because they tell of specs and are none: specs/README.md, specs/plans.md.')
  expect(
    listed.map(({ spec, agent, scenarios }) => [spec, agent, scenarios.map(({ title }) => title)]),
    stderr,
  ).toEqual([
    [project.path('shop/plain.md'), 'browser', ['Shop']],
    [project.path('specs/cart.md'), 'browser', titles],
  ])

  const steps = await project.mdtest(['run', 'specs/cart.md:2', '--agent', 'browser'])
  expect(steps.stderr).toContain('has no step at line 2. `npx vitest-mdtest list specs/cart.md --agent browser` shows')

  const promoted = await project.mdtest(['promote', 'specs/cart.md:22', '-a', 'browser'])
  expect(promoted.stderr).toContain(
    'specs/cart.md:17 "1.1 Add One Product": it has no recording. Run `npx vitest-mdtest record specs/cart.md:17 --agent browser` first',
  )
})

test('a plan that Vitest cannot load is told of as the plan that it is', async () => {
  await using project = await createProject({
    'vitest.config.js': configFor({ include: ['specs/*.md'] }),
    'specs/cart.md': `${cart.replaceAll('tests/seed.spec.ts', 'tests/seed.md')}\n${'<!-- @'}vitest-environment happy-dom -->\n`,
  })
  const { all, exitCode } = await project.mdtest(['run', '--agent', 'browser'])
  expect(all).toMatch(/^mdtest: specs\/cart\.md did not run:\nspecs\/cart\.md:17:1  planner-seed /m)
  expect(exitCode, all).toBe(1)
})

test('tags of a seed are tags of the run', async () => {
  await using project = await createProject({
    'vitest.config.js': configFor({ agent: 'browser', include: ['specs/*.md'] }),
    'specs/cart.md': cart.replaceAll('tests/seed.spec.ts', 'tests/seed.md'),
    'tests/seed.md': '# Seed\n\n## Log in\n\n<!-- mdtest: tags=login -->\n\nLog in.\n',
  })
  expect((await project.vitest(['--list-tags'])).stdout).toContain('login')
})
