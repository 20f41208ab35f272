import { describe, expect, test } from 'vitest'
import { chooseChanges } from '../../../../src/commands/attempt/changes/judge-changes.ts'

/** Files of a project by path. */
type Files = Readonly<Record<string, string>>

async function choose(
  before: Files,
  change: Files,
  more: { mayChange?: string[]; starts?: string[]; judges?: string[] } = {},
) {
  const names: Readonly<Record<string, Files>> = { before, after: { ...before, ...change } }
  const filesOf = (name: string): Files => names[name] ?? {}
  return await chooseChanges(Object.keys(change), {
    checkpoints: {
      files: (name) => Promise.resolve(Object.keys(filesOf(name)).map((path) => ({ path, isLink: false }))),
      texts: (name, paths) => {
        const found = paths.flatMap((path) =>
          path in filesOf(name) ? [[path, filesOf(name)[path] ?? ''] as const] : [],
        ) // a pair
        return Promise.resolve(new Map(found))
      },
    },
    ...{ before: 'before', after: 'after', judges: more.judges ?? [] },
    mayChange: more.mayChange ?? [],
    starts: new Set(more.starts),
    handedOver: new Set(),
  })
}

const base: Files = {
  'src/sum.ts': '',
  'src/app/page.vue': '',
  'test/sum.test.ts': "import { sum } from '../../../src/sum'\nimport en from '../../../src/locales/en.json'\n",
  'src/locales/en.json': '{}',
  'lib/go/sum.go': 'package sum',
}

describe('these count', () => {
  test.for([
    ...['src/sum.ts', 'src/new.ts', 'src/deep/er/new.ts', 'src/app/page.css', 'src/locales/de.json', 'src/query.sql'],
    ...['lib/go/more.go', 'lib/rust/new.rs', 'public/logo.svg', 'locales/fr.po', 'README.md', 'docs/use.md'],
    ...['package-lock.json', 'go.sum', 'src/app.config.ts.map.ts', 'other/new.ts', 'run.sh', 'answers.json'],
    ...['src/contest.ts', 'src/latest/index.ts', 'app/expectations.ts', 'src/snapshot.ts', 'requirements-dev.txt'],
    ...['src/description.ts', 'src/toolbar.ts', 'src/settings.ts', 'src/mockup/index.ts', 'lib/Größe.kt'],
  ])('%s', async (path) => {
    expect(await choose(base, { [path]: 'export const a = 1\n' })).toEqual({ used: [path], leftOut: [] })
  })
})

describe('these do not', () => {
  test.for([
    ...['src/more.test.ts', 'vite.config.ts', 'tailwind.config.js', '.env', '.npmrc.local', 'pluggy.py', 'Makefile'],
    ...['src/locales/en.json', 'src/__mocks__/fs.ts'],
    ...['src/expected/out.ts', 'SRC/Fixtures/a.ts', 'tools/check.ts', 'src/test-utils.ts', 'setupTests.js'],
    ...['src/all.setup.ts', 'node_modules/vitest/index.js', 'patches/vitest.patch', 'build.gradle.kts'],
    ...['src/Jest.Config.ts', 'TESTDATA/a.json', 'pkg/fixtures/a.ts', 'test-data/x.csv', 'golden/out.txt', 'setup.py'],
    ...[
      'lib/third_party/a.c',
      'cassettes/a.yaml',
      'scripts/build.sh',
      '.storybook/main.ts',
      'Gulpfile.js',
      'noxfile.py',
    ],
  ])('%s', async (path) => {
    const { used, leftOut } = await choose(base, { [path]: 'export const a = 1\n' })
    expect([used, leftOut]).toEqual([[], [{ path, reason: expect.any(String) }]])
  })
})

test('code that adds a suppression does not; what was there may stay', async () => {
  const [path, text] = ['src/sum.ts', 'a\n// @ts-ignore\nb\n'] as const // a path and a text
  const { leftOut } = await choose(base, { [path]: text })
  expect(leftOut).toEqual([{ path, reason: 'adds `@ts-ignore`, which disables a check' }])
  expect((await choose({ ...base, [path]: text }, { [path]: `c\n${text}` })).used).toEqual([path])
})

test('what configuration names does not count, unless tests or the product take code from it', async () => {
  const files = {
    ...base,
    'jest.config.js': "module.exports = {\n  setupFiles: ['<rootDir>/src/boot'],\n  reporters: ['./src/told.js'],\n}\n",
    ...{ 'src/boot.js': "import './boot/inner.js'\n", 'src/boot/inner.js': '', 'src/told.js': '' },
    'tsconfig.json': '{ "extends": "./settings/base.json", "files": ["src/sum.ts"] }',
    ...{ 'settings/base.json': '{}', 'src/use.ts': "import { told } from '../../../checkpoint/told.js'\n" },
  }
  const paths = ['src/boot.js', 'src/boot/inner.js', 'settings/base.json', 'src/told.js', 'src/sum.ts']
  const { used, leftOut } = await choose(files, Object.fromEntries(paths.map((path) => [path, '1'])))
  expect(used).toEqual(['src/told.js', 'src/sum.ts'])
  expect(leftOut.map(({ reason }) => reason)).toEqual([
    'is read by `jest.config.js`',
    'is read by `src/boot.js`',
    'is read by `tsconfig.json`',
  ])
})

test('what code of a spec judges with does not count; what the text for people names does', async () => {
  const page =
    "Edit `rates.json`.\n\n```ts\nimport { sum } from './src/sum.ts'\nimport { same } from './own/same.ts'\nsame(sum(1), read('want.json'))\n```\n"
  const files = { ...base, 'page.md': page, 'own/same.ts': 'assert(1)', 'want.json': '', 'rates.json': '' }
  const change = { 'src/sum.ts': '1', 'own/same.ts': '1', 'want.json': '1', 'rates.json': '1' }
  const { used, leftOut } = await choose(files, change, { judges: ['page.md'] })
  expect(used).toEqual(['src/sum.ts', 'rates.json'])
  expect(leftOut).toMatchObject([{ reason: 'is read by `page.md`' }, { reason: 'is read by `page.md`' }])
})

test.for([
  ['total.mjs', `node -e 'import("./total.mjs").then(({ add }) => process.exit(add(1, 2) - 3))'`, true],
  ['sums.py', 'python3 -c "from sums import add; assert add(1, 2) == 3"', true],
  ['check.mjs', `node -e 'import("./check.mjs")'`, false],
  ['want.json', `node -e 'process.exit(require("./want.json").sum - sum())'`, false],
] as const)('%s that code in a Makefile names counts only if it is the product', async ([path, line, isUsed]) => {
  const files = { ...base, Makefile: `test:\n\t${line}\n`, [path]: '1' }
  const { used } = await choose(files, { [path]: '2' }, { starts: ['Makefile'] })
  expect(used).toEqual(isUsed ? [path] : [])
})

test('what a test by its content compares with does not count', async () => {
  const check = "import test from 'node:test'\ntest('adds', () => equal(sum(1, 2), read('three.json')))\n"
  const { leftOut } = await choose({ ...base, 'sum.check.mjs': check, 'three.json': '3' }, { 'three.json': '4' })
  expect(leftOut).toEqual([{ path: 'three.json', reason: 'is compared with by `sum.check.mjs`' }])
})

test('a glob lets a file count, whatever it is', async () => {
  const change = { Makefile: '', 'ci/run.sh': '', 'ci/other.txt': '' }
  const { used } = await choose(base, change, { mayChange: ['Makefile', 'ci/*.sh'] })
  expect(used).toEqual(['Makefile', 'ci/run.sh'])
})
