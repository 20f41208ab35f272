import { expect, test } from 'vitest'
import { createProject } from '../support/create-project.ts'
import { passingSpec } from '../support/specs.ts'

/** What the user's own tests are set up with. */
const userFiles = {
  'global-setup.js': `import { appendFileSync } from 'node:fs'
export default () => appendFileSync('global-setup.log', 'x')
`,
  'setup.js': `import { beforeEach } from 'vitest'
beforeEach(() => { globalThis.wasSetUp = true })
`,
}

function configWith(plugins: string): string {
  return `import { fileURLToPath } from 'node:url'
import { mdtest } from 'vitest-mdtest'
export default {
  plugins: [{ name: 'users-own' }, ${plugins}],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  define: { __VERSION__: '"1.2.3"' },
  test: {
    globals: true, setupFiles: './setup.js', globalSetup: './global-setup.js', pool: 'forks', maxWorkers: 1, retry: 1, testTimeout: 3000,
    env: { VITE_COLOR: 'red', FROM_CONFIG: 'yes' }, sequence: { hooks: 'list' }, fakeTimers: { toFake: ['Date'] }, fileParallelism: false,
  },
}
`
}

test('inside one of the projects of the user it configures only that one', async () => {
  const unit = (name: string): string => `import { test } from 'vitest'\ntest('${name}', () => {})\n`
  await using project = await createProject({
    'vitest.config.js': `import { mdtest } from 'vitest-mdtest'
const pages = { name: 'pages', transform: (code, id) => id.endsWith('.md') ? 'export default "a page"' : null }
export default { test: { projects: [
  { test: { name: 'one', include: ['one/**/*.test.js'] } },
  { plugins: [pages, mdtest()], test: { name: 'two', include: ['two/**/*.test.js'] } },
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
