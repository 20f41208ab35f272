import { expect, test } from 'vitest'
import { filesNamedIn, isImportedBy } from '../../../../src/commands/attempt/changes/read-by-judges.ts'

const all = new Set([
  ...['src/sum.ts', 'src/util/index.ts', 'src/setup.mts', 'tools/plugin.py', 'tools/__init__.py', 'tools/run.sh'],
  ...['tests/helper.py', 'tests/data.json', 'ci/checks.mk', 'a b/odd.ts', 'deep/er/reporter.cjs', 'größe.ts'],
])

test.each([
  ['a path in a string', "import '../src/sum.ts'", 'tests/a.test.ts', ['src/sum.ts']],
  ['an import without its extension', "import { sum } from '../src/sum'", 'tests/a.test.ts', ['src/sum.ts']],
  ['an extension of JavaScript for TypeScript', "import '../src/sum.js'", 'tests/a.test.ts', ['src/sum.ts']],
  ['a folder with an index', "import '../src/util'", 'tests/a.test.ts', ['src/util/index.ts']],
  ['a path from the root', 'setupFiles: ["src/setup.mts"]', 'vitest.config.ts', ['src/setup.mts']],
  ['the root of Jest', 'setupFiles: ["<rootDir>/src/setup.mts"]', 'jest.config.ts', ['src/setup.mts']],
  ['a variable of make', 'include $(CURDIR)/ci/checks.mk', 'Makefile', ['ci/checks.mk']],
  ['a variable of a shell', 'sh ${PWD}/tools/run.sh', 'ci.sh', ['tools/run.sh']],
  ['a module of Python', 'from tools.plugin import check', 'tests/conftest.py', ['tools/plugin.py']],
  ['a plugin of pytest', 'addopts = -p tools.plugin', 'pytest.ini', ['tools/plugin.py']],
  ['the same file once', "import './sum.ts'\nimport './sum.ts'", 'src/a.ts', ['src/sum.ts']],
  ['a name in another alphabet', "import './größe.ts'", 'a.ts', ['größe.ts']],
  ['what the product is made of', 'entry: "./src/sum.ts",', 'vite.config.ts', []],
  ['a folder', 'ls src deep/er', 'ci.sh', []],
  ['a package of Python', 'ls tools', 'ci.sh', ['tools/__init__.py']],
  ['nothing', '', 'a.ts', []],
  ['a path out of the project', "import '../../../etc/passwd'", 'src/a.ts', []],
  ['a word that is too short for a path', 'ci ci', 'a.sh', []],
])('%s', (_, text, path, files) => {
  expect(filesNamedIn(text, path, all)).toEqual(files)
})

test.each([
  ['ES modules', 'src/sum.ts', "import { sum } from './sum'", true],
  ['CommonJS', 'src/sum.js', "const { sum } = require('./sum')", true],
  ['an index by its folder', 'src/util/index.ts', "export * from './util'", true],
  ['Python', 'app/sum.py', 'from app import sum', true],
  ['Rust', 'src/sum.rs', 'mod sum;', true],
  ['Ruby', 'lib/sum.rb', "require_relative 'sum'", true],
  ['Go, by a folder', 'pkg/sum/add.go', 'import (\n\t"example.org/pkg/sum"\n)', true],
  ['a longer name', 'src/sum.ts', "import { total } from './summary'", false],
  ['a comment', 'src/sum.ts', '// the sum of all', false],
  ['a name that is a pattern', 'src/a+b.ts', "import './a+b'", true],
  ['a name that would match as a pattern', 'src/a.b.ts', "import './axb'", false],
  ['an index at the root', 'index.ts', "import './index'", false],
])('%s', (_, path, text, expected) => {
  expect(isImportedBy(path, text)).toBe(expected)
})
