import { expect, test } from 'vitest'
import { findProtected, programsOf } from '../../src/checkpoint/protected-files.ts'

const before: Readonly<Record<string, string>> = {
  'package.json': '{ "scripts": { "test": "vitest run" }, "dependencies": { "a": "1" } }',
  'src/sum.ts': '',
  'src/spec/parse.ts': '',
  'src/sum.test.ts': '',
  'shop.test.md': '',
  'test/support/page.ts': '',
  'tests/test_sum.py': '',
  'sum_test.go': '',
  '__snapshots__/a.snap': '',
  'check.sh': '',
}

async function protectedOf(
  after: Readonly<Record<string, string>>,
  removed: readonly string[] = [],
): Promise<readonly string[]> {
  const times: Readonly<Record<string, Readonly<Record<string, string>>>> = { before, after }
  const read = async (name: string, path: string): Promise<string | undefined> => times[name]?.[path]
  const paths = [...Object.keys(after), ...removed]
  return findProtected({ paths, checkpoints: { read }, before: 'before', after: 'after', others: ['check.sh'] })
}

test('source code may change, and new tests may come', async () => {
  expect(
    await protectedOf({ 'src/sum.ts': 'x', 'src/spec/parse.ts': 'x', 'src/new.test.ts': 'x', 'test/new.ts': 'x' }, [
      'src/old.ts',
    ]),
  ).toEqual([])
})

test.each([
  'src/sum.test.ts',
  'shop.test.md',
  'test/support/page.ts',
  'tests/test_sum.py',
  'sum_test.go',
  '__snapshots__/a.snap',
])('%s may neither change nor go', async (path) => {
  expect(await protectedOf({ [path]: 'x' })).toEqual([path])
  expect(await protectedOf({}, [path])).toEqual([path])
})

test.each([
  'vitest.config.ts',
  'packages/a/jest.config.cjs',
  'mdtest.config.json',
  'tsconfig.json',
  '.eslintrc.json',
  'conftest.py',
  'Makefile',
  'check.sh',
])('%s may not even be new', async (path) => {
  expect(await protectedOf({ [path]: 'x' })).toEqual([path])
})

test('a package may get dependencies and no other scripts', async () => {
  const manifest = (test: string): string => `{ "scripts": { "test": "${test}" }, "dependencies": { "b": "2" } }`
  expect(await protectedOf({ 'package.json': manifest('vitest run') })).toEqual([])
  expect(await protectedOf({ 'package.json': manifest('true') })).toEqual(['package.json'])
  expect(await protectedOf({ 'package.json': 'no JSON' })).toEqual(['package.json'])
  expect(await protectedOf({}, ['package.json'])).toEqual(['package.json'])
})

test.each([
  ['sh ./check.sh src/a.ts', ['sh', 'check.sh']],
  ['CI=1 ./check.sh --all', ['CI=1', 'check.sh']],
  ['npm ci && node scripts/test.mjs | tee log', ['npm', 'node', 'scripts/test.mjs', 'tee']],
  ['tsc -p . src/a.ts', ['tsc']],
  ['node --check src/a.ts', ['node', '--check']],
])('the programs of `%s`', (command, programs) => {
  expect(programsOf(command)).toEqual(programs)
})
