import { describe, expect, test } from 'vitest'
import { addPlugin, jest } from '../../../src/commands/init/add-plugin.ts'

const head = `import { defineConfig } from 'vitest/config'\n`
const added = `import { mdtest } from 'vitest-mdtest'\n${head}`

describe('a configuration with', () => {
  test.for([
    ['no key at all', 'export default defineConfig({})', 'export default defineConfig({\n  plugins: [mdtest()]\n})'],
    [
      'other keys, comments and a type',
      'export default defineConfig({\n  // fast\n  test: {},\n} satisfies UserConfig)',
      'export default defineConfig({\n  // fast\n  test: {},\n\n  plugins: [mdtest()],\n} satisfies UserConfig)',
    ],
    ['a list on one line', 'export default { plugins: [a(), b] }', 'export default { plugins: [a(), b, mdtest()] }'],
    [
      'a list on several lines',
      'export default {\n  plugins: [\n    react(),\n    paths({ root: 1 }),\n  ],\n}',
      'export default {\n  plugins: [react(), paths({ root: 1 }), mdtest()],\n}',
    ],
    [
      'tabs',
      'export default {\n\tplugins: [a()],\n\ttest: {\n\t\tglobals: true,\n\t},\n}',
      'export default {\n\tplugins: [a(), mdtest()],\n\ttest: {\n\t\tglobals: true,\n\t},\n}',
    ],
    [
      'texts with signs of comments',
      'export default {\n  plugins: [],\n  test: {\n    include: ["test/**"], api: "http://x" },\n}',
      'export default {\n  plugins: [mdtest()],\n  test: {\n    include: ["test/**"], api: "http://x" },\n}',
    ],
    [
      'texts with signs of comments in the list',
      'export default { plugins: [a("src/**/*.ts"), b("http://x")] }',
      'export default { plugins: [a("src/**/*.ts"), b("http://x"), mdtest()] }',
    ],
    ['a quoted key', `export default { 'plugins': [] }`, `export default { 'plugins': [mdtest()] }`],
    [
      'a function',
      'export default defineConfig(() => ({ plugins: [] }))',
      'export default defineConfig(() => ({ plugins: [mdtest()] }))',
    ],
    [
      'a merged configuration',
      'export default mergeConfig(base, defineConfig({ plugins: [] }))',
      'export default mergeConfig(base, defineConfig({ plugins: [mdtest()] }))',
    ],
    [
      'a constant',
      'const config: Config = defineConfig({\n  // ours\n  test: {},\n})\nexport default config',
      'const config: Config = defineConfig({\n  // ours\n  test: {},\n\n  plugins: [mdtest()],\n})\nexport default config',
    ],
    [
      'a spread beside its own list',
      'export default { ...base, plugins: [...base.plugins] }',
      'export default { ...base, plugins: [...base.plugins, mdtest()] }',
    ],
  ] as const)('%s', ([, before, after]) => {
    expect(addPlugin(`${head}\n${before}\n`)).toEqual({ kind: 'added', text: `${added}\n${after}\n` })
    expect(addPlugin(`${added}\n${after}\n`)).toEqual({ kind: 'present' })
  })
})

const requireJest = `const { mdtest } = require('vitest-mdtest/jest')`

test.for([
  [
    'an import like the others',
    `import a from "a"; // a\nexport default { plugins: [] };\n`,
    `import { mdtest } from "vitest-mdtest";\nimport a from "a"; // a\nexport default { plugins: [mdtest()] };\n`,
  ],
  [
    'one behind references to types',
    `/// <reference types="vitest" />\n/** @type {import('vite').UserConfig} */\nexport default { plugins: [] }\n`,
    `/// <reference types="vitest" />\nimport { mdtest } from 'vitest-mdtest'\n\n/** @type {import('vite').UserConfig} */\nexport default { plugins: [mdtest()] }\n`,
  ],
  [
    'Windows line ends',
    `import a from 'a'\r\nexport default {\r\n  test: {},\r\n}\r\n`,
    `import { mdtest } from 'vitest-mdtest'\r\nimport a from 'a'\r\nexport default {\r\n  test: {},\r\n  plugins: [mdtest()],\r\n}\r\n`,
  ],
  [
    'the name that is there',
    `import { mdtest as specs } from 'vitest-mdtest'\nexport default { plugins: [] }\n`,
    `import { mdtest as specs } from 'vitest-mdtest'\nexport default { plugins: [specs()] }\n`,
  ],
  [
    'a `require`',
    `'use strict';\nconst { defineConfig } = require('vitest/config');\nmodule.exports = defineConfig({ plugins: [] });\n`,
    `'use strict';\nconst { mdtest } = require('vitest-mdtest');\nconst { defineConfig } = require('vitest/config');\nmodule.exports = defineConfig({ plugins: [mdtest()] });\n`,
  ],
] as const)('what is added: %s', ([, before, after]) => {
  expect(addPlugin(before)).toEqual({ kind: 'added', text: after })
  expect(addPlugin(after)).toEqual({ kind: 'present' })
})

test.for([
  [
    'no projects',
    `/** @type {import('jest').Config} */\nmodule.exports = {\n  testEnvironment: 'node',\n}\n`,
    `${requireJest}\n\n/** @type {import('jest').Config} */\nmodule.exports = {\n  testEnvironment: 'node',\n  projects: ['<rootDir>', mdtest()],\n}\n`,
  ],
  [
    'projects, in a constant',
    `const config = { projects: ['<rootDir>/a'] }\nmodule.exports = config\n`,
    `${requireJest}\n\nconst config = {\n  projects: ['<rootDir>/a', mdtest()]\n}\nmodule.exports = config\n`,
  ],
] as const)("Jest's configuration gets a project: %s", ([, before, after]) => {
  expect(addPlugin(before, jest)).toEqual({ kind: 'added', text: after })
  expect(addPlugin(after, jest)).toEqual({ kind: 'present' })
})

test('a plugin that is there already is left alone, wherever it stands', () => {
  const code = `${added}const plugins = [mdtest({ agent: 'none' })]\nexport default { plugins }\n`
  expect(addPlugin(code)).toEqual({ kind: 'present' })
})

test('the configuration of a package in a workspace is a part', () => {
  const code = `import { defineProject } from 'vitest/config'\nexport default defineProject({ test: { name: 'core' } })\n`
  expect(addPlugin(code)).toEqual({ kind: 'part' })
})

test.for([
  ['CommonJS that gives a name', 'exports.config = { plugins: [] }'],
  ['a list from elsewhere', 'export default { plugins: all }'],
  ['a spread that may hold a list', 'export default { ...base }'],
  ['a function with a body', 'export default () => { return { plugins: [] } }'],
  ['a name that is taken', 'const mdtest = 1\nexport default { plugins: [] }'],
  ['another wrapper', 'export default withNuxt({ plugins: [] })'],
  ['a comment that would move', 'export default {\n  plugins: [\n    a(), // last\n  ],\n}'],
  ['a longer comment that would move', 'export default {\n  plugins: [\n    a(), /* last\n    of all */\n  ],\n}'],
  ['a constant whose type would be lost', 'const config = { plugins: [] } satisfies Config\nexport default config'],
  ['a constant that is itself', 'const config = config\nexport default config'],
  ['an error', 'export default {{'],
  ['nothing', ''],
])('%s is more than can be changed safely', ([, code]) => expect(addPlugin(code!)).toEqual({ kind: 'unknown' }))
