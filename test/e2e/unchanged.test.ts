import { expect, test } from 'vitest'
import { createProject, type Project } from '../support/create-project.ts'
import { passingSpec } from '../support/specs.ts'

/** Tests of a user with about everything that a plugin could disturb. */
const userFiles = {
  'global-setup.js': `import { appendFileSync } from 'node:fs'
export default () => appendFileSync('global-setup.log', 'x')
`,
  'setup.js': `import { beforeEach } from 'vitest'
beforeEach(() => { globalThis.wasSetUp = true })
`,
  'src/sum.js': 'export const sum = (a, b) => a + b\n',
  'test/sum.test.js': `import { sum } from '@/sum.js'
test('adds', () => { expect(sum(1, 2)).toBe(3); expect(wasSetUp).toBe(true); expect(__VERSION__).toBe('1.2.3'); expect(import.meta.env.VITE_COLOR).toBe('red') })
test('keeps a snapshot', () => { expect({ a: 1 }).toMatchSnapshot() })
test.fails('fails as it should', () => { expect(sum(1, 1)).toBe(3) })
describe('group', () => { test.skip('left out', () => {}); test.todo('to come'); test('breaks', () => { expect(sum(1, 1)).toBe(3) }) })
`,
  'test/__snapshots__/sum.test.js.snap': `// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html

exports[\`keeps a snapshot 1\`] = \`
{
  "a": 1,
}
\`;
`,
  'test/other.spec.js': `test('runs on its own', () => { expect(process.env.FROM_CONFIG).toBe('yes') })
`,
}

function configWith(plugin: string): string {
  return `import { fileURLToPath } from 'node:url'
${plugin === '' ? '' : "import { mdtest } from 'vitest-mdtest'\n"}
export default {
  plugins: [{ name: 'users-own' }, ${plugin}],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  define: { __VERSION__: '"1.2.3"' },
  test: {
    globals: true, setupFiles: './setup.js', globalSetup: './global-setup.js', pool: 'forks', maxWorkers: 1, retry: 1, testTimeout: 3000,
    env: { VITE_COLOR: 'red', FROM_CONFIG: 'yes' }, sequence: { hooks: 'list' }, fakeTimers: { toFake: ['Date'] }, fileParallelism: false,
  },
}
`
}

/** What a run says of the user's own files, with nothing but times and the folder taken out. */
async function reportsOf(project: Project): Promise<{ readonly json: unknown; readonly junit: string }> {
  const json = await project.vitest(['run', '--reporter=json'])
  const { testResults }: { testResults: { name: string }[] } = JSON.parse(
    json.stdout.slice(json.stdout.indexOf('{"num')),
  )
  const junit = await project.vitest(['run', '--reporter=junit'])
  const suites = junit.stdout.match(/ {4}<testsuite [\s\S]*?<\/testsuite>/g) ?? []
  const mask = (text: string): string =>
    text
      .replaceAll(project.dir, '<root>')
      .replaceAll(/"(startTime|endTime|duration)":[\d.]+/g, '"$1":0')
      .replaceAll(/\b(time|timestamp|hostname)="[^"]*"/g, '$1=""')
  const own = testResults.filter(({ name }) => !name.endsWith('.md'))
  return {
    json: JSON.parse(mask(JSON.stringify(own))),
    junit: mask(suites.filter((suite) => !suite.includes('.test.md')).join('\n')),
  }
}

test("the user's own tests report the same to the byte with and without the plugin", async () => {
  await using without = await createProject({ ...userFiles, 'vitest.config.js': configWith('') })
  await using withPlugin = await createProject({
    ...userFiles,
    'vitest.config.js': configWith('mdtest()'),
    'hello.test.md': passingSpec,
  })
  const expected = await reportsOf(without)
  const actual = await reportsOf(withPlugin)
  expect(actual.json).toEqual(expected.json)
  expect(actual.junit).toBe(expected.junit)
  expect(actual.junit).toContain('fails as it should')
  expect((await withPlugin.read('global-setup.log')).length).toBe((await without.read('global-setup.log')).length)
  const all = await withPlugin.vitest(['run', '--reporter=json'])
  expect(all.stdout).toContain('hello.test.md')
})

test('inside one of the projects of the user it configures only that one', async () => {
  const unit = (name: string): string => `import { test } from 'vitest'\ntest('${name}', () => {})\n`
  await using project = await createProject({
    'vitest.config.js': `import { mdtest } from 'vitest-mdtest'
export default { test: { projects: [
  { test: { name: 'one', include: ['one/**/*.test.js'] } },
  { plugins: [mdtest()], test: { name: 'two', include: ['two/**/*.test.js'] } },
] } }
`,
    'one/a.test.js': unit('in one'),
    'two/b.test.js': unit('in two'),
    'hello.test.md': passingSpec,
  })
  const { stdout, exitCode } = await project.vitest(['list', '--json'])
  expect(exitCode).toBe(0)
  const listed: { name: string; projectName: string }[] = JSON.parse(stdout)
  expect(listed.map(({ name, projectName }) => `${projectName}: ${name}`).toSorted()).toEqual([
    'one: in one',
    'two: Greeting > Remembers',
    'two: Greeting > Says hello',
    'two: in two',
  ])
  expect((await project.vitest(['run'])).exitCode).toBe(0)
})

test('takes over resolve, define, plugins and env, and none of the test options', async () => {
  await using project = await createProject({
    ...userFiles,
    'vitest.config.js': configWith('mdtest(), probe()').replace(
      'export default',
      `const probe = () => ({
  name: 'probe',
  configResolved(config) {
    if (config.test?.name !== 'mdtest') return
    this.config = config
  },
  async configureVitest({ project }) {
    if (project.name !== 'mdtest') return
    const { config, vite } = project
    const { writeFileSync } = await import('node:fs')
    writeFileSync('inherited.json', JSON.stringify({
      alias: vite.config.resolve.alias.some(({ find }) => find === '@'),
      define: vite.config.define?.__VERSION__ ?? config.defines?.__VERSION__,
      plugins: vite.config.plugins.filter(({ name }) => name === 'users-own').length,
      env: config.env.VITE_COLOR,
      setupFiles: config.setupFiles, globalSetup: config.globalSetup, environment: config.environment, pool: config.pool,
      runner: config.runner ?? null, fakeTimersToFake: config.fakeTimers.toFake ?? null, hooks: config.sequence.hooks, retry: config.retry,
      testTimeout: config.testTimeout, browser: config.browser.enabled, typecheck: config.typecheck.enabled, globals: config.globals,
    }))
  },
})
export default`,
    ),
    'hello.test.md': passingSpec,
  })
  const ran = await project.vitest(['run', '--project', 'mdtest'])
  expect(ran.exitCode, ran.all).toBe(0)
  expect(JSON.parse(await project.read('inherited.json'))).toMatchObject({
    alias: true,
    define: expect.stringMatching(/^"?1\.2\.3"?$/),
    plugins: 1,
    env: 'red',
    setupFiles: [],
    globalSetup: [],
    environment: 'node',
    pool: 'threads',
    runner: null,
    hooks: 'stack',
    testTimeout: 5000,
    browser: false,
    typecheck: false,
    globals: false,
  })
})
