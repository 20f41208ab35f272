import { join } from 'node:path'
import { packageProgram, anyFullName } from '../command-parts.ts'
import type { Runner, RunScope } from '../runner.ts'
import { readVitestResults } from './vitest.ts'

const results = 'mdtest.json'

/** Patterns are regular expressions on full names. What is blocked has not passed: it is among the failed. */
export const mdtest: Runner<'mdtest'> = {
  name: 'mdtest',
  packages: ['vitest-mdtest'],
  form: /(?:vitest-)?mdtest +run/,
  template: { all: 'mdtest run', file: 'mdtest run -- FILE', pattern: 'mdtest run --test-name-pattern=PATTERN' },
  buildCommand({ run, resultsDir, root }) {
    const options = ['--headless', ...reporters(resultsDir)]
    return { argv: [...packageProgram(root, 'vitest-mdtest'), 'run', ...options, ...scopeArguments(run)] }
  },
  selectTests: anyFullName,
  reporting: (resultsDir) => ({ args: reporters(resultsDir) }),
  readResults: (output) => readVitestResults(output, results),
}

function scopeArguments(run: RunScope): readonly string[] {
  switch (run.scope) {
    case 'all':
      return []
    case 'file':
      return ['--', run.target]
    case 'pattern':
      return [`--test-name-pattern=${run.target}`]
  }
}

function reporters(resultsDir: string): readonly string[] {
  return ['--reporter=default', '--reporter=json', `--output-file=${join(resultsDir, results)}`]
}
