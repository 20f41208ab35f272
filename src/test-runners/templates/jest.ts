import { join } from 'node:path'
import { readJestJson } from '../readers/jest-json.ts'
import { packageProgram } from '../package-program.ts'
import { readResultsFile } from '../readers/common/results-file.ts'
import { readPlainJest } from '../readers/plain/jest.ts'
import type { Runner, RunScope } from '../runner.ts'

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
