import { symlink } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { createProject, plainConfig } from '../support/create-project.ts'
import { readJsonReport } from '../support/json-report.ts'

const login = `# Log in

## Setup

\`\`\`sh
echo "up" >> trace
\`\`\`

## Open the page

\`\`\`console
$ page=login; echo $page
login
\`\`\`

## Enter as {{name}}

\`\`\`sh
user={{name}}
\`\`\`

### Examples

| name |
| ---- |
| Ann  |
| Bob  |

## Teardown

\`\`\`sh
echo "down" >> trace
\`\`\`
`
const shop = `---
agent: none
include:
  - ./shared/login.md
---

# Shop

## Greets the user

\`\`\`console
$ echo "hello $user"
hello Bob
\`\`\`

## Teardown

\`\`\`sh
echo "$user" >> trace
\`\`\`

# Pay

\`\`\`console
$ echo "$user pays on $page"
Bob pays on login
\`\`\`
`
const files = { 'vitest.config.js': plainConfig, 'shop.test.md': shop, 'shared/login.md': login }

test('carries out the included sections first, in each scenario', async () => {
  await using project = await createProject(files)
  const { exitCode, stdout } = await project.vitest(['run', '--reporter=json'])
  const tests = readJsonReport(stdout)['shop.test.md']
  expect(tests?.map(({ name, line, outcome }) => [name, line, outcome])).toEqual([
    ['Shop > Log in > Open the page', 7, 'pass'],
    ['Shop > Log in > Enter as {{name}} > Enter as Ann', 7, 'pass'],
    ['Shop > Log in > Enter as {{name}} > Enter as Bob', 7, 'pass'],
    ['Shop > Greets the user', 9, 'pass'],
    ['Pay > Log in > Open the page', 22, 'pass'],
    ['Pay > Log in > Enter as {{name}} > Enter as Ann', 22, 'pass'],
    ['Pay > Log in > Enter as {{name}} > Enter as Bob', 22, 'pass'],
    ['Pay > Pay', 22, 'pass'],
  ])
  expect(exitCode).toBe(0)
  expect(await project.read('trace')).toBe('up\nBob\ndown\nup\ndown\n')
})

test('shows lines of the included file where it fails', async () => {
  const broken = login.replace('\nlogin\n', '\nlog-in\n')
  await using project = await createProject({ ...files, 'shared/login.md': broken })
  const { exitCode, all } = await project.vitest(['run', '--reporter=verbose'])
  expect(exitCode).toBe(1)
  expect(all).toMatch(/shared\/login\.md:13:1/)
  expect(all).toMatch(/13\|.*log-in/)
  expect(all).toMatch(/shared\/login\.md:9:1/)
})

test('reports problems of included files at their places', async () => {
  const faulty = login.replace('```console', '```console run timeout=soon').replace('# Log in', '# Log in\n\n# More')
  const missing = shop.replace('  - ./shared/login.md', '  - ./shared/login.md\n  - ./gone.md')
  await using project = await createProject({ ...files, 'shop.test.md': missing, 'shared/login.md': faulty })
  const { exitCode, all } = await project.vitest(['run'])
  expect(exitCode).toBe(1)
  expect(all).toMatch(/shop\.test\.md:5:5 {2}include-unreadable {2}`.\/gone.md` cannot be included/)
  expect(all).toMatch(/shared\/login\.md:3:1 {2}include-scenarios/)
  expect(all).toMatch(/3 \| # More/)
})

test('selects an included step by its title, and lists it without running anything', async () => {
  await using project = await createProject(files)
  const { exitCode, stdout } = await project.vitest(['run', '--reporter=json', '-t', 'Open the page'])
  const passed = readJsonReport(stdout)['shop.test.md']?.filter(({ status }) => status === 'passed')
  expect(passed?.map(({ name }) => name)).toEqual(['Shop > Log in > Open the page', 'Pay > Log in > Open the page'])
  expect(exitCode).toBe(0)
  for (const flags of [[], ['--static-parse']]) {
    const listed = await project.vitest(['list', ...flags])
    expect(listed.stdout).toContain('shop.test.md > Pay > Log in > Enter as {{name}} > Enter as Bob')
  }
})

test('runs a spec again when a file that it includes changes', async () => {
  await using project = await createProject(files)
  const running = project.start('vitest', ['--watch', '--reporter=verbose'], { timeoutMs: 60_000 })
  const output = (): Promise<void> =>
    new Promise((resolve) =>
      running.all?.on('data', (chunk) => /Waiting for file changes/.test(String(chunk)) && resolve()),
    )
  try {
    await output()
    const next = output()
    await project.write('shared/login.md', login.replace('Open the page', 'Open another page'))
    await next
  } finally {
    running.kill()
  }
  expect((await running).all).toMatch(/RERUN.*login\.md[^]*Open another page/)
})

test('a file outside of the root cannot be included, by a link neither', async () => {
  const outside = shop.replace('./shared/login.md', '../login.md').replace('  - ', '  - ./link.md\n  - ')
  await using project = await createProject({ 'root/shop.test.md': outside, 'login.md': login })
  await symlink('../login.md', project.path('root/link.md'))
  const { exitCode, all } = await project.mdtest(['run', '--dir', 'root'])
  expect(exitCode).toBe(1)
  expect(all.match(/it is outside of the suite root/g)).toHaveLength(2)
})
