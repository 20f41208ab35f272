import { join } from 'node:path'
import { readComparison } from './comparison.ts'
import { noResults } from './count-tests.ts'
import { escapePattern } from './escape-pattern.ts'
import { junitResults, readJunitTests, type JunitTest } from './junit-xml.ts'
import { messageOf } from './message.ts'
import { projectProgram } from './package-program.ts'
import { relativeFile } from './place.ts'
import { readResultsFile } from './results-file.ts'
import type { FailingTest, PassedTest, Runner } from './runner.ts'
import { scopeArguments } from './scope-arguments.ts'

const results = 'pytest.xml'

/** Patterns are expressions of `-k`: parts of names with `and`, `or`, `not`. */
export const pytest: Runner = {
  name: 'pytest',
  template: { all: 'pytest', file: 'pytest ./FILE', pattern: 'pytest -k=EXPRESSION' },
  buildCommand({ run, resultsDir, root }) {
    const program = projectProgram(root, ['.venv/bin/pytest', 'venv/bin/pytest'], 'pytest')
    // Only this family has file and line.
    const report = ['-o', 'junit_family=xunit1', `--junitxml=${join(resultsDir, results)}`]
    return { argv: [program, ...report, ...scopeArguments(run, '-k')] }
  },
  async readResults({ resultsDir, root }) {
    const tests = readJunitTests(await readResultsFile(join(resultsDir, results)))
    if (tests === undefined) return noResults
    const passed = tests.filter(({ status }) => status === 'passed')
    return {
      ...junitResults(tests, (test) => failingTest(test, root)),
      passedTests: passed.map((test) => identify(test, root)),
    }
  },
}

function identify({ attributes }: JunitTest, root: string): PassedTest {
  const { classname = '', name = '', file } = attributes
  return {
    name: [...classNames(classname, file), name].join('::'),
    ...(file !== undefined && { file: relativeFile(file, root) }),
  }
}

function failingTest(test: JunitTest, root: string): FailingTest {
  const { attributes, message, text } = test
  const { file, line } = attributes
  const told = messageOf(message === 'collection failure' ? errorLines(text) : message || text)
  const found = file === undefined ? undefined : lineOfFailure(text, file)
  return {
    ...identify(test, root),
    // pytest counts the lines of tests from 0.
    ...(found !== undefined ? { line: found } : line !== undefined && { line: Number(line) + 1 }),
    message: told,
    ...readComparison(told),
  }
}

/** What is said of a file that could not be loaded. */
function errorLines(text: string): string {
  const lines = text.split('\n').filter((line) => /^E( |$)/.test(line))
  return lines.map((line) => line.slice(1).replace(/^ {1,6}/, '')).join('\n')
}

/** The class in `tests.test_a.TestB` of the file `tests/test_a.py`. */
function classNames(classname: string, file: string | undefined): readonly string[] {
  const module = (file ?? '').replace(/\.py$/, '').replaceAll(/[\\/]/g, '.')
  return classname.startsWith(`${module}.`) ? classname.slice(module.length + 1).split('.') : []
}

/** The last line of the test's own file in a traceback. */
function lineOfFailure(text: string, file: string): number | undefined {
  const own = escapePattern(file)
  const lines = [...text.matchAll(new RegExp(`^(?:.*/)?${own}:(\\d+): |File "(?:.*/)?${own}", line (\\d+)`, 'gm'))]
  const last = lines.at(-1)
  return last && Number(last[1] ?? last[2])
}
