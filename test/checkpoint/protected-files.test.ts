import { describe, expect, test } from 'vitest'
import { findProtectedChanges } from '../../src/checkpoint/protected-files.ts'

const manifest = { name: 'p', scripts: { test: 'vitest run' }, dependencies: {} }
const json = (value: object): string => JSON.stringify(value)
const toml = '[project]\nname = "p"\n\n[tool.pytest.ini_options]\naddopts = "-q"\n\n[tool.black]\nline-length = 80\n'

describe('an attempt may not', () => {
  test.for([
    ['change a test', 'src/sum.test.ts', 'old', 'new'],
    ['delete a test', 'src/sum.test.ts', 'old', undefined],
    ['change what tests compare with', 'src/__snapshots__/sum.test.ts.snap', 'old', 'new'],
    ['change a spec', 'login.test.md', 'old', 'new'],
    ['change a helper of tests', 'tests/support/open.py', 'old', 'new'],
    ['change a test of Go', 'sum_test.go', 'old', 'new'],
    ['change a test of Python', 'app/test_sum.py', 'old', 'new'],
    ['change a test of Java', 'app/SumTest.java', 'old', 'new'],
    ['change which tests run', 'vitest.config.ts', 'old', 'new'],
    ['add what decides it', 'packages/a/vitest.config.ts', undefined, 'new'],
    ['add what pytest loads', 'app/conftest.py', undefined, 'def pytest_collection_modifyitems(items): items.clear()'],
    ['mock what is tested', '__mocks__/sum.ts', undefined, 'new'],
    ['add a test that switches off others', 'src/a.test.ts', undefined, "test.only('a', () => {})"],
    ['add a test of Go that ends the others', 'main_test.go', undefined, 'func TestMain(m *testing.M) { os.Exit(0) }'],
    ['change the scripts', 'package.json', json(manifest), json({ ...manifest, scripts: { test: 'true' } })],
    ['add settings of a runner', 'package.json', json(manifest), json({ ...manifest, jest: { testMatch: [] } })],
    ['change the settings of pytest', 'pyproject.toml', toml, toml.replace('-q', '-q --ignore=tests')],
    ['switch off the tests of a crate', 'Cargo.toml', '[lib]\nname = "p"\n', '[lib]\nname = "p"\ntest = false\n'],
    ['hide files', '.gitignore', 'node_modules\n', '*\n'],
    ['change a gate', '.github/workflows/ci.yml', 'old', 'new'],
    ['change what a compiler says', 'tsconfig.build.json', 'old', 'new'],
    ['change what a linter skips', '.eslintignore', undefined, '*'],
    ['change the configuration of gates', 'mdtest.config.json', undefined, '{}'],
  ] as const)('%s', ([, path, before, after]) => {
    expect(findProtectedChanges([{ path, before, after }])).toEqual([path])
  })
})

describe('an attempt may', () => {
  test.for([
    ['change code', 'src/sum.ts', 'old', 'new'],
    ['change code whose name is like that of a test', 'src/latest.ts', 'old', 'new'],
    ['change a parser of specs', 'src/spec/parse.ts', 'old', 'new'],
    ['add a test', 'src/more.test.ts', undefined, "test('more', () => {})"],
    ['add a dependency', 'package.json', json(manifest), json({ ...manifest, dependencies: { zod: '4' } })],
    ['change other settings of Python', 'pyproject.toml', toml, toml.replace('80', '100')],
  ] as const)('%s', ([, path, before, after]) => {
    expect(findProtectedChanges([{ path, before, after }])).toEqual([])
  })
})
