import { join } from 'node:path'
import { readJestJson } from '../readers/jest-json.ts'
import { packageProgram, anyFullName } from '../command-parts.ts'
import { readResultsFile } from '../readers/common/results-file.ts'
import type { Runner, RunScope, FailingTest, RunnerResults } from '../runner.ts'
import { readComparison } from '../readers/common/comparison.ts'
import { addCounts } from '../readers/common/count-tests.ts'
import { messageOf, countIn } from '../readers/common/text.ts'
import { lineInMessage, lineInStack } from '../readers/common/place.ts'

const results = 'jest.json'

/** Patterns are regular expressions on full names. */
export const jest: Runner<'jest'> = {
  name: 'jest',
  packages: ['jest'],
  files: [{ name: /^jest\.config\.\w+$/ }],
  form: /jest(?:\.js)?/,
  template: {
    all: 'jest --ci',
    file: 'jest --ci --runTestsByPath FILE',
    pattern: 'jest --ci --testNamePattern=PATTERN',
  },
  buildCommand({ run, resultsDir, root }) {
    const options = ['--ci', '--watchAll=false', ...reporters(resultsDir)]
    return { argv: [...packageProgram(root, 'jest'), ...options, ...scopeArguments(run, root)] }
  },
  selectTests: anyFullName,
  changed: ['--onlyChanged'],
  reporting: (resultsDir) => ({ args: reporters(resultsDir) }),
  async readResults({ stdout, stderr, resultsDir, root }) {
    const text = await readResultsFile(join(resultsDir, results))
    // Jest writes no report then.
    if (text === undefined && /^No tests found, exiting/m.test(`${stdout}\n${stderr}`)) {
      return { counts: { total: 0, passed: 0, failed: 0, skipped: 0 }, failingTests: [] }
    }
    return readJestJson(text, { root })
  },
  readPlain: readPlainJest,
}

function scopeArguments(run: RunScope, root: string): readonly string[] {
  switch (run.scope) {
    case 'all':
      return []
    case 'file':
      return ['--runTestsByPath', join(root, run.target)]
    case 'pattern':
      return [`--testNamePattern=${run.target}`]
  }
}

function reporters(resultsDir: string): readonly string[] {
  return ['--testLocationInResults', '--json', `--outputFile=${join(resultsDir, results)}`]
}

/** Jest's default reporter. */
function readPlainJest(text: string): RunnerResults | undefined {
  const summaries = [...text.matchAll(/^Tests: +(.*\d+ total)$/gm)].map(([, told = '']) => told)
  if (summaries.length === 0) return undefined
  const failingTests = text.split(/^(?=(?:FAIL|PASS) )/m).flatMap(failuresOf)
  const broken = failingTests.filter(({ name, file }) => name === file).length
  const counts = summaries.map((told) => ({
    passed: countIn(told, 'passed'),
    failed: countIn(told, 'failed'),
    skipped: countIn(told, 'skipped') + countIn(told, 'todo'),
  }))
  return { counts: addCounts([...counts, { passed: 0, failed: broken, skipped: 0 }]), failingTests }
}

function failuresOf(section: string): readonly FailingTest[] {
  const file = /^FAIL (?:\S+ )?(\S+?)(?: \([\d.]+ m?s\))?$/m.exec(section)?.[1]?.replace(/^\.\//, '')
  if (file === undefined || !section.startsWith('FAIL ')) return []
  const failures = section.split(/^ {2}● /m).slice(1)
  return failures.filter((failure) => !/^Console$/m.test(failure)).map((failure) => failingTest(failure, file))
}

function failingTest(failure: string, file: string): FailingTest {
  const [heading = '', ...lines] = failure.split('\n')
  const body = lines.join('\n').split(/^Test Suites: /m, 1)[0] ?? ''
  const name = heading === 'Test suite failed to run' ? file : heading.replaceAll(' › ', ' > ')
  const message = messageOf(body.split(/^ +(?:> )?\d+ \|/m, 1)[0] ?? '')
  const line = (name === file ? lineInMessage(body, file) : undefined) ?? lineInStack(body, { file })
  return {
    name,
    file,
    ...(line !== undefined && { line }),
    message,
    ...readComparison(message),
  }
}
