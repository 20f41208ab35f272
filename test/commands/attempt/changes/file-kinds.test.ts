import { expect, test } from 'vitest'
import { isData, isForTests, isSource, looksLikeHelper } from '../../../../src/commands/attempt/changes/file-kinds.ts'

test.each([
  ['src/sum.TS', 'source'],
  ['lib/Größe.kt', 'source'],
  ['styles/a.scss', 'source'],
  ['db/1.sql', 'source'],
  ['locales/de.json', 'data'],
  ['notes.txt', 'data'],
  ['README.md', undefined],
  ['packages/a/package.json', undefined],
  ['requirements-dev.txt', undefined],
  ['Makefile', undefined],
  ['', undefined],
])('%j is %s', (path, kind) => {
  expect([isSource(path), isData(path)]).toEqual([kind === 'source', kind === 'data'])
})

test.each([
  ...['src/__tests__/a.ts', 'TESTDATA/a.json', 'pkg/fixtures/a.ts', 'a/node_modules/b/index.js', 'src/SUM.TEST.TS'],
  ...['test-data/x.csv', 'golden/out.txt', 'lib/third_party/a.c', 'cassettes/a.yaml'],
])('%s is for tests', (path) => {
  expect(isForTests(path)).toBe(true)
})

test.each(['src/contest.ts', 'src/latest/index.ts', 'app/expectations.ts', 'src/snapshot.ts'])('%s is not', (path) => {
  expect(isForTests(path)).toBe(false)
})

test.each([
  ['scripts/build.sh', true],
  ['packages/a/tools/run.ts', true],
  ['.storybook/main.ts', true],
  ['app/vite.config.ts', true],
  ['test-helpers.ts', true],
  ['setup.py', true],
  ['global-setup.ts', true],
  ['Gulpfile.js', true],
  ['noxfile.py', true],
  ['src/description.ts', false],
  ['src/toolbar.ts', false],
  ['src/settings.ts', false],
  ['src/mockup/index.ts', false],
])('%s looks like a helper: %s', (path, expected) => {
  expect(looksLikeHelper(path)).toBe(expected)
})
