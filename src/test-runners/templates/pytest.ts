import { join } from 'node:path'
import { escapePattern, projectProgram, scopeArguments } from '../command-parts.ts'
import { junitResults, readJunitTests, type JunitTest } from '../readers/junit-xml.ts'
import { quoteWord } from '../../system/text/quoting.ts'
import type { FailingTest, NamedTest, Runner } from '../runner.ts'
import { noResults, messageOf, readResultsFile } from '../readers/reading.ts'
import { readComparison } from '../readers/comparison.ts'
import { isInProject, relativeFile } from '../readers/place.ts'

const results = 'pytest.xml'

/** Patterns are expressions of `-k`: parts of names with `and`, `or`, `not`. */
export const pytest: Runner<'pytest'> = {
  name: 'pytest',
  files: [
    { name: /^pytest\.ini$|^conftest\.py$/ },
    { name: /^pyproject\.toml$/, content: /^\[tool\.pytest|\bpytest\b/m },
    { name: /^(?:tox\.ini|setup\.cfg)$/, content: /^\[(?:tool:)?pytest\]/m },
    { name: /^requirements.*\.txt$/, content: /^pytest\b/m },
  ],
  form: /pytest|py\.test/,
  template: { all: 'pytest', file: 'pytest ./FILE', pattern: 'pytest -k=EXPRESSION' },
  buildCommand({ run, resultsDir, root }) {
    const program = projectProgram(root, ['.venv/bin/pytest', 'venv/bin/pytest'], 'pytest')
    return { argv: [program, ...report(resultsDir), ...scopeArguments(run, { pattern: (names) => [`-k=${names}`] })] }
  },
  selectTests: (names) => {
    const words = names.map((name) => name.split('::').at(-1)?.replace(/\[.*$/s, '') ?? '')
    return words.every((word) => /^\w+$/.test(word)) ? [...new Set(words)].join(' or ') : undefined
  },
  // Read by whatever starts pytest.
  reporting: (resultsDir) => ({ args: [], env: { PYTEST_ADDOPTS: report(resultsDir).map(quoteWord).join(' ') } }),
  async readResults({ resultsDir, root }) {
    const tests = readJunitTests(await readResultsFile(join(resultsDir, results)))
    if (tests === undefined) return noResults
    return junitResults(tests, (test) => failingTest(test, root))
  },
}

/** Only this family has file and line. */
function report(resultsDir: string): readonly string[] {
  return ['-o', 'junit_family=xunit1', `--junitxml=${join(resultsDir, results)}`]
}

function identify({ attributes }: JunitTest, root: string): NamedTest {
  const { classname = '', name = '', file: told } = attributes
  // Of a test that a class has from another one, pytest tells the file of the other one.
  const isOwn = told !== undefined && `${classname || name}.`.startsWith(`${moduleOf(told)}.`)
  const file = isOwn ? told : fileOfModule(classname || name, root)
  return {
    name: [...classNames(classname, file), name].join('::'),
    ...(file !== undefined && { file: relativeFile(file, root) }),
  }
}

/** The file in `tests.test_a.TestB`; as such a name has it, folders and classes look alike. */
function fileOfModule(name: string, root: string): string | undefined {
  const parts = name.split('.')
  const paths = parts.map((_, index) => `${parts.slice(0, index + 1).join('/')}.py`)
  return paths.find((path) => isInProject(relativeFile(path, root), root))
}

function moduleOf(file: string): string {
  return file.replace(/\.py$/, '').replaceAll(/[\\/]/g, '.')
}

function failingTest(test: JunitTest, root: string): FailingTest {
  const { attributes, message, text } = test
  const { line } = attributes
  const { name, file } = identify(test, root)
  const told = messageOf(message === 'collection failure' ? errorLines(text) : message || text)
  const found = file === undefined ? undefined : lineOfFailure(text, file)
  const isOwn = file !== undefined && file === relativeFile(attributes['file'] ?? file, root)
  return {
    name,
    ...(file !== undefined && { file }),
    // pytest counts the lines of tests from 0.
    ...(found !== undefined ? { line: found } : isOwn && line !== undefined && { line: Number(line) + 1 }),
    message: told,
    ...readComparison(told),
    ...(message === 'collection failure' && { standsFor: 'tests' as const }),
  }
}

function errorLines(text: string): string {
  const lines = text.split('\n').filter((line) => /^E( |$)/.test(line))
  return lines.map((line) => line.slice(1).replace(/^ {1,6}/, '')).join('\n')
}

/** The class in `tests.test_a.TestB` of the file `tests/test_a.py`. */
function classNames(classname: string, file: string | undefined): readonly string[] {
  const module = moduleOf(file ?? '')
  return classname.startsWith(`${module}.`) ? classname.slice(module.length + 1).split('.') : []
}

function lineOfFailure(text: string, file: string): number | undefined {
  const own = escapePattern(file)
  const lines = [...text.matchAll(new RegExp(`^(?:.*/)?${own}:(\\d+): |File "(?:.*/)?${own}", line (\\d+)`, 'gm'))]
  const last = lines.at(-1)
  return last && Number(last[1] ?? last[2])
}
