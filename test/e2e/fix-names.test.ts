import { mkdirSync, symlinkSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createFixProject, nodeProject, rightSum, wrongSum, type FixProject } from '../support/fix-project.ts'
import { hostileViteName } from '../support/hostile-name.ts'
import { lane } from '../support/lane.ts'

const sums = `import { expect, test } from 'vitest'
import { sum, twice } from '../src/sum.js'
test('adds', () => expect(sum(2, 3)).toBe(5))
test('doubles', () => expect(twice(2)).toBe(4))
`

/** With Vitest, in folders of these names. */
function vitestProject(files: Readonly<Record<string, string>> = {}, name = hostileViteName): FixProject {
  const project = createFixProject(
    {
      'package.json': '{ "type": "module" }',
      '.gitignore': 'node_modules\n',
      'src/sum.js': wrongSum,
      'test/sum.test.js': sums,
      ...files,
    },
    name,
  )
  const links = { ...lane.packages, '.bin/vitest': '../vitest/vitest.mjs' }
  for (const [link, target] of Object.entries(links)) {
    mkdirSync(dirname(project.path(`node_modules/${link}`)), { recursive: true })
    symlinkSync(target, project.path(`node_modules/${link}`))
  }
  return project
}

const idle = { attempts: [{ summary: 'All is well.' }] }
const oneAttempt = ['--max-attempts', '1', '--runner', 'vitest'] as const // a tuple

describe('a red suite is no success', () => {
  test.for(['My Project/repo', hostileViteName])('in a folder named %s, under a scope', async (name) => {
    using project = vitestProject(
      { 'src/other.test.js': "import { test } from 'vitest'\ntest('is', () => {})\n" },
      name,
    )
    project.plan(idle)
    const { exitCode, report } = await project.fix('--scope', 'test', ...oneAttempt)
    expect([exitCode, report]).toMatchObject([1, { result: 'incomplete', failing_tests: 1 }])
    const { results } = lastResults(project)
    expect(results).toMatchObject({ failing: [{ key: 'test/sum.test.js > adds', line: 3 }], others: [] })
    project.write('src/sum.js', rightSum)
    expect((await project.fix('--scope', 'test', ...oneAttempt)).report).toMatchObject({ result: 'success' })
  })

  test('where an error thrown in the product names a place outside the scope', async () => {
    using project = vitestProject({
      'src/sum.js': `export const twice = (a) => 2 * a
export const sum = () => {
  const error = new Error('expected 5')
  error.stack = 'Error: expected 5\\n    at sum (' + import.meta.url + ':1:1)\\n    at other.test.js:1:1'
  throw error
}
`,
      'other.test.js': "import { test } from 'vitest'\ntest('is', () => {})\n",
    })
    project.plan(idle)
    const { exitCode, report } = await project.fix('--scope', 'test', ...oneAttempt)
    expect([exitCode, report]).toMatchObject([1, { result: 'incomplete', failing_tests: 1 }])
  })

  test.for([
    ['an error outside of the tests', { 'src/sum.js': `${rightSum}setTimeout(() => { throw new Error('late') })\n` }],
    [
      'a hook after all tests',
      {
        'src/sum.js': rightSum,
        'test/sum.test.js': `import { afterAll } from 'vitest'\nafterAll(() => { throw new Error('not closed') })\n${sums}`,
      },
    ],
    [
      'a limit of its own',
      { 'src/sum.js': rightSum, 'set-up.js': 'export default () => () => { process.exitCode = 3 }\n' },
    ],
  ] as const)('where all tests pass and %s ends the runner red', async ([, files]) => {
    using project = vitestProject({
      'vitest.config.js': "export default { test: { globalSetup: './set-up.js' } }\n",
      'set-up.js': 'export default () => {}\n',
      ...files,
    })
    project.plan(idle)
    const { exitCode, report } = await project.fix('--scope', 'test', ...oneAttempt)
    expect(report.result === 'success' && exitCode === 0, JSON.stringify(report)).toBe(false)
  })
})

describe('an attempt after which as many tests run, but others, is undone', () => {
  test.for([
    [
      'tests of the product in their place, which then ends the process',
      `import test from 'node:test'
test('ads', () => {})
test('dubles', () => {})
await new Promise(() => setTimeout(() => process.exit(0), 300))
${wrongSum}`,
    ],
    [
      'tests of another file in their place, with the same names but for their case',
      `${wrongSum}import test from 'node:test'
for (const name of ['Adds', 'Doubles']) test(name, () => {})
setTimeout(() => process.exit(0), 300)
await new Promise(() => {})
`,
    ],
  ] as const)('%s', async ([, lie]) => {
    using project = createFixProject(nodeProject)
    project.plan({ attempts: [{ write: { 'sum.mjs': lie } }, { write: { 'sum.mjs': rightSum } }] })
    const { exitCode, report } = await project.fix()
    expect([exitCode, report]).toMatchObject([0, { result: 'success', attempts: 2, total_tests: 2 }])
    expect(rollBacks(project)).toMatchObject([
      { reason: 'tests-lost', names: expect.arrayContaining(['adds', 'doubles']) },
    ])
  })

  test('a test that the product skips, and another in its place', async () => {
    using project = vitestProject()
    const lie = `import { beforeEach, test } from 'vitest'
beforeEach(({ task, skip }) => skip(task.name === 'adds', 'not now'))
test('adds up', () => {})
${wrongSum}`
    project.plan({ attempts: [{ write: { 'src/sum.js': lie } }, { write: { 'src/sum.js': rightSum } }] })
    const { exitCode, report } = await project.fix('--runner', 'vitest')
    expect([exitCode, report]).toMatchObject([0, { result: 'success', attempts: 2, total_tests: 2 }])
    expect(rollBacks(project)).toMatchObject([{ reason: 'tests-lost', names: ['adds'] }])
  })
})

test('a test whose name tells a time is the same test', async () => {
  using project = createFixProject({
    ...nodeProject,
    'sum.test.mjs': (nodeProject['sum.test.mjs'] ?? '').replace(
      "'doubles'",
      '`doubles at ${new Date().toISOString()}`',
    ),
  })
  project.plan({ attempts: [{ write: { 'sum.mjs': rightSum } }] })
  const { exitCode, report } = await project.fix()
  expect([exitCode, report]).toMatchObject([0, { result: 'success', attempts: 1 }])
})

function rollBacks(project: FixProject): readonly unknown[] {
  return project.state().history.filter(({ kind }) => kind === 'rolled-back')
}

function lastResults(project: FixProject): { readonly results: unknown } {
  const ran = project.state().history.findLast((act) => act.kind === 'tests-ran')
  const path = `${project.sessionFolder()}/${ran?.kind === 'tests-ran' ? ran.resultsFile : ''}`
  return { results: JSON.parse(project.read(path.slice(project.root.length + 1))) }
}
