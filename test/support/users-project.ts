import { chromium } from './users-lane.ts'

/** A project of a user with about everything that a plugin could disturb, and a spec that some of them run. */
export const usersFiles: Readonly<Record<string, string>> = {
  'src/sum.ts': `export function sum(a: number, b: number): number {
  return a + b
}

export function unused(): string {
  return 'never'
}

if (import.meta.vitest) {
  const { test, expect } = import.meta.vitest
  test('adds in its own file', () => expect(sum(2, 2)).toBe(4))
}
`,
  'src/choice.ts': "export const choice = (flag: boolean): string => (flag ? 'yes' : 'no')\n",
  'src/guide.md': '# Guide\n\nRead *me*.\n',
  'global-setup.js': `import { appendFileSync } from 'node:fs'
export default ({ provide }) => {
  appendFileSync('global-setup.log', 'x')
  provide('from', 'global set-up')
}
`,
  'setup.js': `import { beforeEach } from 'vitest'
beforeEach(() => { globalThis.wasSetUp = true })
`,
  'setup-of-plugin.js': `import { appendFileSync } from 'node:fs'
appendFileSync('setup-of-plugin.log', 'x')
`,
  'runner.js': `import { TestRunner } from 'vitest'
export default class extends TestRunner {
  onBeforeRunTask(test) {
    test.meta.seenBy = 'custom runner'
    return super.onBeforeRunTask?.(test)
  }
}
`,
  'serializer.js': "export default { test: (value) => value?.secret !== undefined, serialize: () => 'SECRET' }\n",
  'test/sum.test.ts': `import { inject } from 'vitest'
import guide from '@/guide.md'
import { sum } from '@/sum.ts'
import page from '../hello.test.md'
import text from '../hello.test.md?raw'
test('adds', { tags: ['fast'] }, () => {
  expect(sum(1, 2)).toBe(3)
  expect(wasSetUp).toBe(true)
  expect(__VERSION__).toBe('1.2.3')
  expect(import.meta.env.VITE_COLOR).toBe('red')
  expect(process.env.FROM_CONFIG).toBe('yes')
  expect(inject('from')).toBe('global set-up')
})
test('keeps snapshots', () => {
  expect({ a: 1 }).toMatchSnapshot()
  expect({ secret: 1 }).toMatchInlineSnapshot(\`SECRET\`)
})
test('reads markdown, also that of a spec', () => {
  expect([guide, page]).toEqual(['page of guide.md', 'page of hello.test.md'])
  expect(text).toContain('# Hello')
})
test.fails('fails as it should', () => { expect(sum(1, 1)).toBe(3) })
describe('group', () => {
  test.skip('left out', () => {})
  test.todo('to come')
  test('breaks', () => { expect(sum(1, 1)).toBe(3) })
})
`,
  'test/__snapshots__/sum.test.ts.snap': `// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html

exports[\`keeps snapshots 1\`] = \`
{
  "a": 1,
}
\`;
`,
  'test/only.test.ts': `import { choice } from '@/choice.ts'
test.only('chosen', () => { expect(choice(true)).toBe('yes') })
test('not chosen', () => {})
`,
  'test/types.test-d.ts': `import { expectTypeOf, test } from 'vitest'
import { sum } from '../src/sum.ts'
test('sum is a number', () => { expectTypeOf(sum).returns.toEqualTypeOf<number>() })
test('sum is a text', () => { expectTypeOf(sum).returns.toEqualTypeOf<string>() })
`,
  'tsconfig.json': `{
  "compilerOptions": {
    "target": "es2022", "module": "esnext", "moduleResolution": "bundler", "strict": true, "noEmit": true,
    "allowImportingTsExtensions": true, "skipLibCheck": true, "types": ["vitest/importMeta"]
  },
  "include": ["src", "test/*.test-d.ts"]
}
`,
  'injected/one.test.js': "import { test } from 'vitest'\ntest('in a project that a plugin injects', () => {})\n",
  'in-browser/page.test.ts': `import { expect, test } from 'vitest'
import { choice } from '../src/choice.ts'
import guide from '../src/guide.md'
test('has a document', () => {
  document.body.innerHTML = '<b>' + choice(false) + guide + '</b>'
  expect(document.querySelector('b').textContent).toBe('nopage of guide.md')
  expect(document.body.innerHTML).toMatchInlineSnapshot(\`"<b>nopage of guide.md</b>"\`)
})
test('breaks', () => { expect(1).toBe(2) })
`,
  'hello.test.md': `---
agent: none
---

# Hello

## Says hello

\`\`\`console
$ echo hello
hello
\`\`\`

## Reads markdown as the user's plugin makes it

\`\`\`ts
import guide from './src/guide.md'

expect(guide).toBe('page of guide.md')
expect(globalThis).not.toHaveProperty('wasSetUp')
\`\`\`
`,
}

const head = `import { fileURLToPath } from 'node:url'
import { mdtest } from 'vitest-mdtest'
const specs = process.env.WITH_SPECS ? mdtest() : null
const markdown = {
  name: 'users-markdown',
  transform: (code, id) => id.endsWith('.md') ? { code: \`export default "page of \${id.split('/').pop()}"\`, map: null } : null,
}
const common = {
  // The packages of the tests are links.
  server: { fs: { strict: false } },
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  define: { __VERSION__: '"1.2.3"' },
}
const env = { VITE_COLOR: 'red', FROM_CONFIG: 'yes' }
const coverage = {
  enabled: true, include: ['src/**', 'test/**'], exclude: ['**/*.md'], reporter: [['text', { file: 'table.txt' }]], reportOnFailure: true,
}
const users = {
  globals: true, setupFiles: './setup.js', globalSetup: './global-setup.js', snapshotSerializers: ['./serializer.js'],
  runner: './runner.js', tags: [{ name: 'fast' }],
}
`

/** All in the root of the configuration. A plugin changes test options, adds a reporter and a project. */
export const rootConfig = `${head}
import { appendFileSync } from 'node:fs'
const vitestPlugin = {
  name: 'users-vitest',
  config: (config) => { config.test.hookTimeout = 4321; return { test: { setupFiles: ['./setup-of-plugin.js'] } } },
  async configureVitest({ vitest, injectTestProjects }) {
    vitest.config.reporters.push({ onTestRunEnd: () => appendFileSync('reporter.log', 'x') })
    await injectTestProjects({ test: { name: 'injected', include: ['injected/*.test.js'] } })
  },
}
export default {
  ...common,
  plugins: [markdown, vitestPlugin, specs],
  test: {
    ...users, env, include: ['test/*.test.ts'], includeSource: ['src/*.ts'], pool: 'vmThreads', maxWorkers: 2, retry: 1, testTimeout: 3000,
    sequence: { hooks: 'list' }, fakeTimers: { toFake: ['Date'] },
    typecheck: { enabled: true, checker: './node_modules/typescript/bin/tsc' },
    coverage: { ...coverage, provider: 'v8' },
  },
}
`

/** Projects of the user's own, one of them in a browser. */
export const projectsConfig = `${head}
import { playwright } from '@vitest/browser-playwright'
const launchOptions = { executablePath: ${JSON.stringify(chromium ?? '')}, args: ['--no-sandbox'] }
const browser = {
  enabled: true, headless: true, screenshotFailures: false, provider: playwright({ launchOptions }), instances: [{ browser: 'chromium' }],
}
export default {
  ...common,
  plugins: [markdown, specs],
  test: {
    env, coverage: { ...coverage, provider: 'v8' },
    projects: [
      { extends: true, test: { ...users, name: 'unit', include: ['test/*.test.ts'] } },
      { extends: true, test: { name: 'browser', include: ['in-browser/*.test.ts'], browser } },
    ],
  },
}
`
