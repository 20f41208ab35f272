import { describe, expect, test } from 'vitest'
import { addPlugin, jest } from '../../../src/commands/init/add-plugin.ts'

const head = `import { defineConfig } from 'vitest/config'\n`
const added = `${head}import { mdtest } from 'vitest-mdtest'\n`

/** The default export before and after, below an import. */
const bodies: readonly (readonly [title: string, before: string, after: string])[] = [
  ['no key at all', 'export default defineConfig({})', 'export default defineConfig({ plugins: [mdtest()] })'],
  [
    'other keys on one line',
    'export default defineConfig({ test: { globals: true } })',
    'export default defineConfig({ plugins: [mdtest()], test: { globals: true } })',
  ],
  [
    'other keys on lines of their own',
    'export default defineConfig({ // ours\n  // fast\n  test: {},\n})',
    'export default defineConfig({ // ours\n  plugins: [mdtest()],\n  // fast\n  test: {},\n})',
  ],
  ['an empty list', 'export default { plugins: [] }', 'export default { plugins: [mdtest()] }'],
  ['a list on one line', 'export default { plugins: [a(), b] }', 'export default { plugins: [a(), b, mdtest()] }'],
  [
    'a list on several lines',
    'export default {\n\tplugins: [\n\t\ta(), // a, of course\n\t\tb(),\n\t],\n}',
    'export default {\n\tplugins: [\n\t\ta(), // a, of course\n\t\tb(),\n\t\tmdtest(),\n\t],\n}',
  ],
  [
    'a comment behind the last element',
    'export default {\n  plugins: [\n    a(), // last\n  ],\n}',
    'export default {\n  plugins: [\n    a(), // last\n    mdtest(),\n  ],\n}',
  ],
  [
    'no comma behind the last element',
    'export default {\n  plugins: [\n    a() // last\n  ]\n}',
    'export default {\n  plugins: [\n    a(), // last\n    mdtest()\n  ]\n}',
  ],
  [
    'the end of the list behind its last element',
    'export default {\n  plugins: [\n    a(),\n    b()],\n}',
    'export default {\n  plugins: [\n    a(),\n    b(), mdtest()],\n}',
  ],
  ['a quoted key', `export default { 'plugins': [a()] }`, `export default { 'plugins': [a(), mdtest()] }`],
  [
    'a function',
    'export default defineConfig(() => ({ plugins: [] }))',
    'export default defineConfig(() => ({ plugins: [mdtest()] }))',
  ],
  [
    'a function with a body',
    'export default defineConfig(async ({ mode }) => {\n  const x = mode\n  return { plugins: [a(x)] }\n})',
    'export default defineConfig(async ({ mode }) => {\n  const x = mode\n  return { plugins: [a(x), mdtest()] }\n})',
  ],
  [
    'a merged configuration',
    'export default mergeConfig(base, defineConfig({ test: {} }))',
    'export default mergeConfig(base, defineConfig({ plugins: [mdtest()], test: {} }))',
  ],
  [
    'a constant with types',
    'const config: UserConfig = { plugins: [a()] as Plugin[] } satisfies UserConfig\nexport default config',
    'const config: UserConfig = { plugins: [a(), mdtest()] as Plugin[] } satisfies UserConfig\nexport default config',
  ],
  [
    'signs of two code units',
    `export default { plugins: [a('é😀')] }`,
    `export default { plugins: [a('é😀'), mdtest()] }`,
  ],
  [
    'a spread beside its own list',
    'export default { ...base, plugins: [...base.plugins] }',
    'export default { ...base, plugins: [...base.plugins, mdtest()] }',
  ],
]

describe('a configuration with', () => {
  test.for(bodies)('%s', ([, before, after]) => {
    expect(addPlugin(`${head}\n${before}\n`)).toEqual({ kind: 'added', text: `${added}\n${after}\n` })
    expect(addPlugin(`${added}\n${after}\n`)).toEqual({ kind: 'present' })
  })
})

describe('the import', () => {
  const texts: readonly (readonly [title: string, before: string, after: string])[] = [
    [
      'is written like the last one',
      `import a from "a"; // a\nexport default {};\n`,
      `import a from "a"; // a\nimport { mdtest } from "vitest-mdtest";\nexport default { plugins: [mdtest()] };\n`,
    ],
    [
      'comes first where there is none, behind references to types',
      `/// <reference types="vitest" />\n/** @type {import('vite').UserConfig} */\nexport default {};\n`,
      `/// <reference types="vitest" />\nimport { mdtest } from 'vitest-mdtest';\n\n/** @type {import('vite').UserConfig} */\nexport default { plugins: [mdtest()] };\n`,
    ],
    [
      'keeps Windows line ends',
      `import a from 'a'\r\nexport default {\r\n  test: {},\r\n}\r\n`,
      `import a from 'a'\r\nimport { mdtest } from 'vitest-mdtest'\r\nexport default {\r\n  plugins: [mdtest()],\r\n  test: {},\r\n}\r\n`,
    ],
    [
      'is not needed twice',
      `import { mdtest as specs } from 'vitest-mdtest'\nexport default { plugins: [] }\n`,
      `import { mdtest as specs } from 'vitest-mdtest'\nexport default { plugins: [specs()] }\n`,
    ],
  ]

  test.for(texts)('%s', ([, before, text]) => expect(addPlugin(before)).toEqual({ kind: 'added', text }))
})

test('a plugin that is there already is left alone, wherever it stands', () => {
  expect(addPlugin(`${added}const plugins = [mdtest({ agent: 'none' })]\nexport default { plugins }\n`)).toEqual({
    kind: 'present',
  })
})

const require = `const { mdtest } = require('vitest-mdtest')`

test.for([
  ['an object', 'module.exports = { plugins: [] }', `${require}\n\nmodule.exports = { plugins: [mdtest()] }`],
  [
    'a function behind other packages',
    `'use strict';\nconst { defineConfig } = require('vitest/config');\nmodule.exports = defineConfig(() => ({}));`,
    `'use strict';\nconst { defineConfig } = require('vitest/config');\n${require};\nmodule.exports = defineConfig(() => ({ plugins: [mdtest()] }));`,
  ],
  [
    'a constant, strict',
    `"use strict"\nconst config = { test: {} }\nmodule.exports = config`,
    `"use strict"\n${require}\n\nconst config = { plugins: [mdtest()], test: {} }\nmodule.exports = config`,
  ],
])('a CommonJS configuration gets a `require`: %s', ([, before, after]) => {
  expect(addPlugin(before!)).toEqual({ kind: 'added', text: after })
  expect(addPlugin(after!)).toEqual({ kind: 'present' })
})

const requireJest = `const { mdtest } = require('vitest-mdtest/jest')`

test.for([
  [
    'no projects',
    `/** @type {import('jest').Config} */\nmodule.exports = {\n  testEnvironment: 'node',\n}`,
    `${requireJest}\n\n/** @type {import('jest').Config} */\nmodule.exports = {\n  projects: ['<rootDir>', mdtest()],\n  testEnvironment: 'node',\n}`,
  ],
  [
    'projects',
    `module.exports = { projects: ['<rootDir>/a', '<rootDir>/b'] }`,
    `${requireJest}\n\nmodule.exports = { projects: ['<rootDir>/a', '<rootDir>/b', mdtest()] }`,
  ],
  [
    'types',
    `import type { Config } from 'jest'\n\nconst config: Config = { verbose: true }\n\nexport default config`,
    `import type { Config } from 'jest'\nimport { mdtest } from 'vitest-mdtest/jest'\n\nconst config: Config = { projects: ['<rootDir>', mdtest()], verbose: true }\n\nexport default config`,
  ],
  [
    'a function that waits',
    `module.exports = async () => {\n  return { verbose: true }\n}`,
    `${requireJest}\n\nmodule.exports = async () => {\n  return { projects: ['<rootDir>', mdtest()], verbose: true }\n}`,
  ],
])("Jest's configuration gets a project: %s", ([, before, after]) => {
  expect(addPlugin(before!, jest)).toEqual({ kind: 'added', text: after })
  expect(addPlugin(after!, jest)).toEqual({ kind: 'present' })
})

test('the configuration of a package in a workspace is a part', () => {
  const code = `import { defineProject } from 'vitest/config'\nexport default defineProject({ test: { name: 'core' } })\n`
  expect(addPlugin(code)).toEqual({ kind: 'part' })
})

test.for([
  ['CommonJS that gives a name', 'exports.config = { plugins: [] }'],
  ['a list from elsewhere', 'export default { plugins: all }'],
  ['a spread that may hold a list', 'export default { ...base }'],
  ['two places that say what it is', 'export default () => { if (x) return {}; return { plugins: [] } }'],
  ['a name that is taken', 'const mdtest = 1\nexport default { plugins: [] }'],
  ['another wrapper', 'export default withNuxt({ plugins: [] })'],
  ['a constant that is itself', 'const config = config\nexport default config'],
  ['a hole at the end', 'export default { plugins: [a(), ,] }'],
  ['two statements in the line of the import', `import a from 'a'; export default {\n  plugins: [\n  ] }`],
  ['an error', 'export default {{'],
  ['nothing', ''],
])('%s is more than can be changed safely', ([, code]) => expect(addPlugin(code!)).toEqual({ kind: 'unknown' }))
