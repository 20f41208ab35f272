import { describe, expect, test } from 'vitest'
import { findProtectedChanges, testFilesOf } from '../../../../src/commands/attempt/changes/file-kinds.ts'

const manifest = { name: 'p', scripts: { test: 'vitest run' }, dependencies: {} }
const json = (value: object): string => JSON.stringify(value)
const toml = '[project]\nname = "p"\n\n[tool.pytest.ini_options]\naddopts = "-q"\n\n[tool.black]\nline-length = 80\n'
const rust = `#[cfg(test)]
use p;
/// Adds.
/// \`\`\`
/// assert_eq!(p::sum(1, 2), 3);
/// \`\`\`
/// Both.
pub fn sum(a: i32, b: i32) -> i32 { a - b }

#[cfg(test)]
mod tests {
    #[test] fn adds() { assert_eq!(super::sum(1, 2), 3) }
}
`
const python = 'def add(a, b):\n    """Adds.\n\n    >>> add(1, 2)\n    3\n\n    Both.\n    """\n    return a - b\n'
const inSource = `export const sum = (a: number, b: number) => a - b
if (import.meta.vitest) test('adds', () => expect(sum(1, 2)).toBe(3))
`

describe('an attempt may not', () => {
  test.for([
    ['change a test', 'src/sum.test.ts', 'old', 'new'],
    ['delete a test', 'src/sum.test.ts', 'old', undefined],
    ['change what tests compare with', 'src/__snapshots__/sum.test.ts.snap', 'old', 'new'],
    ['change a spec', 'login.test.md', 'old', 'new'],
    ['change a feature', 'login.feature', 'old', 'new'],
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
    ['change a test as Node.js finds it', 'sum-test.mjs', 'old', 'new'],
    ['change one by its first word', 'lib/test-sum.js', 'old', 'new'],
    ['change the only one', 'lib/test.js', 'old', 'new'],
    ['change a spec of Jasmine', 'lib/SumSpec.js', 'old', 'new'],
    ['change a test of Django', 'app/tests.py', 'old', 'new'],
    ['change a test in the code of Rust', 'src/lib.rs', rust, rust.replace('3)', '-1)')],
    ['remove an example of Rust that is run', 'src/lib.rs', rust, rust.replace(/\/\/\/ assert.*\n/, '')],
    ['expect that an example panics', 'src/lib.rs', rust, rust.replace('```', '```should_panic')],
    [
      'run an example never',
      'src/lib.rs',
      rust,
      rust.replace('```', '```\n/// # if false {').replace(');', ');\n/// # }'),
    ],
    ['change an example of Python', 'app/sum.py', python, python.replace('3', '-1')],
    ['change what runs before it', 'app/sum.py', python, python.replace('Adds.', '>>> add = max')],
    ['change a test in the code of TypeScript', 'src/sum.ts', inSource, inSource.replace('3)', '-1)')],
    ['add settings of pytest that nobody sees', '.pytest.ini', undefined, '[pytest]'],
    ['add a newer kind of them', 'pytest.toml', undefined, '[pytest]'],
    ['add a file that make takes first', 'GNUmakefile', undefined, '%:\n\ttrue\n'],
    ['have make start nothing', 'Makefile', 'test:\n\tpytest\n', 'SHELL = /bin/true\ntest:\n\tpytest\n'],
    ['change a picture', 'e/__image_snapshots__/a.png', 'old', 'new'],
    ['change what was approved', 'src/a.approved.txt', 'old', 'new'],
    ['change the configuration of gates', 'mdtest.config.json', undefined, '{}'],
  ] as const)('%s', ([, path, before, after]) => {
    expect(findProtectedChanges([{ path, before, after }])).toEqual([path])
  })
})

describe('an attempt may', () => {
  test.for([
    ['change code beside tests in Rust', 'src/lib.rs', rust, rust.replace('a - b', 'a + b')],
    ['change words beside examples in Rust', 'src/lib.rs', rust, rust.replace('Both', 'All').replace('Adds', 'Sums')],
    [
      'change all beside examples in Python',
      'app/sum.py',
      python,
      python.replace('a - b', 'a + b').replace('Both', 'All'),
    ],
    ['add a function with an example', 'app/sum.py', python, `${python}${python.replace('3', '4')}`],
    ['change code beside tests in TypeScript', 'src/sum.ts', inSource, inSource.replace('a - b', 'a + b')],
    ['change code that is about tests', 'src/runTest.ts', 'old', 'new'],
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

test('a file in which a test failed is a test by any name, unless it holds code, too', async () => {
  const files: Record<string, string> = {
    'checks/sum.mjs': "import { sum } from '../../../sum.mjs'\nit('adds', () => {})",
    'check_sum.py': 'from sum import add\n\ndef test_adds():\n    assert add(1, 2) == 3\n',
    'both.mjs': "export const sum = 1\nit('adds', () => {})",
    'both.py': 'def add(a, b):\n    return a - b\n\ndef test_adds():\n    pass\n',
    'src/sum.ts': inSource,
    'src/lib.rs': 'panicked here',
  }
  const failing = [{}, ...Object.keys(files).map((file) => ({ file }))]
  expect(await testFilesOf(failing, (path) => Promise.resolve(files[path]))).toEqual(['checks/sum.mjs', 'check_sum.py'])
})
