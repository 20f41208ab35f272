import { describe, expect, test } from 'vitest'
import {
  isAmongProduct,
  isForTests,
  isProductData,
  looksLikeHelper,
  productFolders,
  productKind,
} from '../../../../src/commands/attempt/changes/file-kinds.ts'

test.each([
  ['src/sum.TS', 'code'],
  ['lib/Größe.kt', 'code'],
  ['styles/a.scss', 'template'],
  ['db/1.sql', 'template'],
  ['locales/de.json', 'data'],
  ['README.md', 'document'],
  ['packages/a/package.json', 'dependencies'],
  ['requirements-dev.txt', 'dependencies'],
  ['notes.txt', 'data'],
  ['Makefile', undefined],
  ['.env', undefined],
  ['bin/run', undefined],
  ['', undefined],
])('%j is %s', (path, kind) => {
  expect(productKind(path)).toBe(kind)
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

describe('where a product is', () => {
  const folders = productFolders(['src/core/sum.ts', 'src/sum.test.ts', 'docs/a.md', 'scripts/b.ts', 'apps/web/a.vue'])

  test('is told by its code alone', () => {
    expect([...folders]).toEqual(['src/core', 'apps/web'])
  })

  test.each([
    ['src/core/new.ts', true],
    ['src/core/below/new.ts', true],
    ['src/new.ts', true],
    ['apps/web/pages/deep/new.vue', true],
    ['src/corex/new.ts', true],
    ['docs/new.ts', false],
    ['new.ts', false],
  ])('a new file at %s has its place there: %s', (path, expected) => {
    expect(isAmongProduct(path, folders)).toBe(expected)
  })

  test.each([
    ['locales/de.json', true],
    ['packages/ui/public/logo.svg', true],
    ['src/core/table.json', true],
    ['src/data.json', true],
    ['table.json', false],
    ['docs/table.json', false],
  ])('data at %s are those of a product: %s', (path, expected) => {
    expect(isProductData(path, folders)).toBe(expected)
  })

  test('with code at the root it is everywhere', () => {
    expect(isAmongProduct('any/where.ts', productFolders(['index.js']))).toBe(true)
    expect(isProductData('table.json', productFolders(['index.js']))).toBe(false)
  })
})
