import { basename, join } from 'node:path'
import { quoteRegex, quoteWord } from '../../system/text/shell-and-regex-quotes.ts'
import { readJunitTests, type JunitTest } from '../readers/junit-xml.ts'
import { isInProject, relativeFile } from '../readers/file-and-line.ts'
import { readLeft, resultsOf, type ToldTest } from '../readers/read-results.ts'
import { projectProgram, runner } from '../runner.ts'

const word = String.raw`(?:\d+ (?:failed|passed|skipped|errors?|deselected|xfailed|xpassed|warnings?|rerun)|no tests ran)`

/** Patterns are expressions for `-k`: parts of names with `and`, `or`, `not`. */
export const pytest = runner({
  name: 'pytest',
  install: 'pip install pytest',
  files: [
    { name: /^pytest\.ini$|^conftest\.py$/ },
    { name: /^pyproject\.toml$/, content: /^\[tool\.pytest|\bpytest\b/m },
    { name: /^(?:tox\.ini|setup\.cfg)$/, content: /^\[(?:tool:)?pytest\]/m },
    { name: /^requirements.*\.txt$/, content: /^pytest\b/m },
  ],
  form: /pytest|py\.test/,
  console: {
    summary: new RegExp(`^(?:=+ )?(${word}(?:, ${word})*) in [\\d.]+s`, 'gm'),
    ...{ passed: 'passed|xpassed', failed: 'failed|errors?', skipped: 'skipped|xfailed' },
  },
  failure: /^Fatal Python error: .*|^FAIL Required test coverage .*/m,
  template: { all: 'pytest', file: 'pytest ./FILE', pattern: 'pytest -k=EXPRESSION' },
  program: (root) => [projectProgram(root, ['.venv/bin/pytest', 'venv/bin/pytest'], 'pytest')],
  // Only `xunit1` reports file and line.
  reporters: (dir) => ['-o', 'junit_family=xunit1', `--junitxml=${join(dir, 'pytest.xml')}`],
  // The variable reaches pytest even if a script starts it.
  asEnv: (reporters) => ({ PYTEST_ADDOPTS: reporters.map(quoteWord).join(' ') }),
  scope: { pattern: (names) => [`-k=${names}`] },
  selectTests: (names) => {
    const words = names.map((name) => basename(name.split('::').at(-1)?.replace(/\[.*$/s, '') ?? '', '.py'))
    return words.every((word) => /^\w+$/.test(word)) ? [...new Set(words)].join(' or ') : undefined
  },
  async readResults(output) {
    const tests = readJunitTests(await readLeft(output, 'pytest.xml'))
    return resultsOf(tests?.map((test) => toldTest(test, output.root)))
  },
})

function toldTest({ status, attributes, message, text }: JunitTest, root: string): ToldTest {
  const { classname = '', name = '', file: told, line } = attributes
  // For an inherited test, pytest reports the file of the base class.
  const isOwn = told !== undefined && `${classname || name}.`.startsWith(`${moduleOf(told)}.`)
  const path = isOwn ? told : fileOfModule(classname || name, root)
  const file = path === undefined ? undefined : relativeFile(path, root)
  const isUnread = message === 'collection failure'
  return {
    status,
    name: isUnread && file !== undefined ? file : [...classNames(classname, path), name].join('::'),
    file,
    // pytest counts lines from 0.
    line: lineOfFailure(text, file) ?? (isOwn && line !== undefined ? Number(line) + 1 : undefined),
    message: isUnread ? errorLines(text) : message || text,
    ...(isUnread && { standsFor: file === undefined ? 'any' : { testsIn: file } }),
  }
}

/** The file of `tests.test_a.TestB`. Tries each part, because folders, files and classes look the same. */
function fileOfModule(name: string, root: string): string | undefined {
  const parts = name.split('.')
  const paths = parts.map((_, index) => `${parts.slice(0, index + 1).join('/')}.py`)
  return paths.find((path) => isInProject(relativeFile(path, root), root))
}

function moduleOf(file: string): string {
  return file.replace(/\.py$/, '').replaceAll(/[\\/]/g, '.')
}

function classNames(classname: string, file: string | undefined): readonly string[] {
  const module = moduleOf(file ?? '')
  return classname.startsWith(`${module}.`) ? classname.slice(module.length + 1).split('.') : []
}

function errorLines(text: string): string {
  const lines = text.split('\n').filter((line) => /^E( |$)/.test(line))
  return lines.map((line) => line.slice(1).replace(/^ {1,6}/, '')).join('\n')
}

function lineOfFailure(text: string, file: string | undefined): number | undefined {
  if (file === undefined) return undefined
  const own = quoteRegex(file)
  const lines = [...text.matchAll(new RegExp(`^(?:.*/)?${own}:(\\d+): |File "(?:.*/)?${own}", line (\\d+)`, 'gm'))]
  const last = lines.at(-1)
  return last && Number(last[1] ?? last[2])
}
