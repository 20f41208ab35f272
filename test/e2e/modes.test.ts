import { expect, test } from 'vitest'
import { createProject } from '../support/create-project.ts'
import { readJsonReport } from '../support/json-report.ts'
import { passingSpec } from '../support/specs.ts'

const ownTest = (name: string): string => `import { test } from 'vitest'\ntest('${name}', () => {})\n`

test('inside one of the projects of the user it configures only that one', async () => {
  await using project = await createProject({
    'vitest.config.js': `import { mdtest } from 'vitest-mdtest'
const pages = { name: 'pages', transform: (code, id) => id.endsWith('.md') ? 'export default "a page"' : null }
export default { test: { projects: [
  { test: { name: 'one', include: ['one/**/*.test.js'] } },
  { plugins: [pages, mdtest()], test: { name: 'two', include: ['two/**/*.test.js'] } },
] } }
`,
    'one/a.test.js': ownTest('in one'),
    'two/b.test.js': ownTest('in two'),
    'hello.test.md': passingSpec,
  })
  const { stdout, all, exitCode } = await project.vitest(['run', '--reporter=json', '--reporter=verbose'])
  expect(exitCode, all).toBe(0)
  const names = Object.values(readJsonReport(stdout)).flatMap((tests) => tests.map(({ name }) => name))
  expect(names.toSorted()).toEqual(['Greeting > Remembers', 'Greeting > Says hello', 'in one', 'in two'])
  expect(all).toMatch(/✓ \|two\| hello\.test\.md/)
})

/** Writes what the project of the specs is configured with. */
const probe = `const probe = () => ({
  name: 'probe',
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
      runner: config.runner ?? null, hooks: config.sequence.hooks, testTimeout: config.testTimeout,
      browser: config.browser.enabled, typecheck: config.typecheck.enabled, globals: config.globals,
    }))
  },
})
`

test('takes over resolve, define, plugins and env, and none of the test options', async () => {
  await using project = await createProject({
    'global-setup.js': 'export default () => {}\n',
    'setup.js': '',
    'vitest.config.js': `import { fileURLToPath } from 'node:url'
import { mdtest } from 'vitest-mdtest'
${probe}
export default {
  plugins: [{ name: 'users-own' }, mdtest(), probe()],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  define: { __VERSION__: '"1.2.3"' },
  test: {
    globals: true, setupFiles: './setup.js', globalSetup: './global-setup.js', pool: 'forks', maxWorkers: 1, retry: 1, testTimeout: 3000,
    env: { VITE_COLOR: 'red', FROM_CONFIG: 'yes' }, sequence: { hooks: 'list' }, fakeTimers: { toFake: ['Date'] }, fileParallelism: false,
  },
}
`,
    'hello.test.md': passingSpec,
  })
  const ran = await project.vitest(['run', '--project', 'mdtest'])
  expect(ran.exitCode, ran.all).toBe(0)
  expect(JSON.parse(await project.read('inherited.json'))).toEqual({
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
