import { symlink } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createProject, plainConfig, type Finished, type Project } from '../support/create-project.ts'
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
const including = (file: string): string => shop.replace('login.md', file).replaceAll('>> trace', '')
const files = {
  'vitest.config.js': plainConfig,
  'shop.test.md': shop,
  'shared/login.md': login,
  'broken.test.md': including('broken.md'),
  'shared/broken.md': login.replace('\nlogin\n', '\nlog-in\n').replaceAll('>> trace', ''),
  'faulty.test.md': including('faulty.md\n  - ./gone.md'),
  'shared/faulty.md': login
    .replace('```console', '```console run timeout=soon')
    .replace('# Log in', '# Log in\n\n# More'),
  'outside.test.md': including('link.md').replace('  - ', '  - ../login.md\n  - '),
}

let project: Project
let run: Finished
beforeAll(async () => {
  project = await createProject(files)
  await symlink('../../login.md', project.path('shared/link.md'))
  await project.write('../login.md', login)
  run = await project.vitest(['run', '--reporter=json', '--reporter=verbose'])
})
afterAll(() => project[Symbol.asyncDispose]())

test('carries out the included sections first, in each scenario', async () => {
  const tests = readJsonReport(run.stdout)['shop.test.md']
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
  expect(await project.read('trace')).toBe('up\nBob\ndown\nup\ndown\n')
})

test('shows lines of the included file where it fails', () => {
  for (const line of [13, 9]) expect(run.all).toContain(`shared/broken.md:${line}:1`)
  expect(run.all).toMatch(/13\|.*log-in/)
})

test('reports problems of included files at their places, also that one is outside of the root', () => {
  expect(run.all).toMatch(/faulty\.test\.md:5:5 {2}include-unreadable {2}`.\/gone.md` cannot be included/)
  expect(run.all).toMatch(/shared\/faulty\.md:3:1 {2}include-scenarios/)
  expect(run.all).toMatch(/3 \| # More/)
  const [outside = ''] = /FAIL .* outside\.test\.md[^]*?(?=\n FAIL |⎯⎯)/.exec(run.all) ?? []
  expect(outside.match(/it is outside of the suite root/g), run.all).toHaveLength(2)
})

test('an included step is selected by its title', async () => {
  const args = ['run', '--reporter=json', '-t', 'Open the page', 'shop.test.md']
  const tests = readJsonReport((await project.vitest(args)).stdout)['shop.test.md']
  expect(tests?.flatMap(({ name, status }) => (status === 'passed' ? [name] : []))).toEqual([
    'Shop > Log in > Open the page',
    'Pay > Log in > Open the page',
  ])
})

test('the option `include` says which files are specs, for commands too', async () => {
  const spec = (title: string): string =>
    `---\nagent: none\n---\n\n# ${title}\n\n## Code\n\n\`\`\`ts verify\nexpect(1).toBe(1)\n\`\`\`\n`
  const names = ['specs/cart.md', 'specs/sub/PAY.MD', 'specs/AUTH_LOGIN.md', 'specs/cart.logs/note.md', 'other.test.md']
  await using chosen = await createProject({
    'vitest.config.js': plainConfig.replace('mdtest()', "mdtest({ include: ['specs/**/*.{md,MD}'] })"),
    ...Object.fromEntries(names.map((name) => [name, spec(name)])),
    'README.md': spec('Readme'),
  })
  const { stdout, all } = await chosen.vitest(['run', '--reporter=json'])
  expect(Object.keys(readJsonReport(stdout)).toSorted(), all).toEqual(['PAY.MD', 'cart.md'])
  const left = await chosen.mdtest(['list', 'README.md'])
  expect(left.all).toContain('does not match `specs/**/*.{md,MD}`')
  // A folder on the command line. No prose, so nobody asks for a model of the agent `browser`.
  const ran = await chosen.mdtest(['run', '--reporter=json', 'specs/sub', '-a', 'browser'])
  expect(Object.keys(readJsonReport(ran.stdout))).toEqual(['PAY.MD'])
})
