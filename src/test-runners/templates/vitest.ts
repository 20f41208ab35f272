import { join } from 'node:path'
import { readJestJson } from '../readers/jest-json.ts'
import { packageProgram } from '../package-program.ts'
import { readResultsFile } from '../readers/common/results-file.ts'
import type { Runner, RunnerOutput, RunnerResults, RunScope } from '../runner.ts'
import { failureSections, readPlainVitest } from '../readers/plain/vitest.ts'

const results = 'vitest.json'

/** Patterns are regular expressions on full names. */
export const vitest: Runner<'vitest'> = {
  name: 'vitest',
  packages: ['vitest'],
  files: [{ name: /^vitest\.config\.\w+$/ }],
  form: /vitest(?:\.mjs)?(?! +(?:bench|init|list|typecheck))/,
  template: { all: 'vitest run', file: 'vitest run FILE', pattern: 'vitest run --testNamePattern=PATTERN' },
  buildCommand({ run, resultsDir, root }) {
    return { argv: [...packageProgram(root, 'vitest'), 'run', ...reporters(resultsDir), ...scopeArguments(run, root)] }
  },
  reporting: (resultsDir) => ({ args: reporters(resultsDir) }),
  readResults: (output) => readVitestResults(output, results),
  readPlain: readPlainVitest,
}

function reporters(resultsDir: string): readonly string[] {
  return ['--reporter=default', '--reporter=json', `--outputFile.json=${join(resultsDir, results)}`]
}

/** The results of a run with Vitest's reporters `default` and `json`. */
export async function readVitestResults(output: RunnerOutput, file: string): Promise<RunnerResults> {
  const text = await readResultsFile(join(output.resultsDir, file))
  let sections: ReturnType<typeof failureSections> | undefined
  const describe = (test: string): string | undefined =>
    (sections ??= failureSections(`${output.stdout}\n${output.stderr}`)).find(
      ({ heading }) => heading === test || heading.endsWith(` ${test}`),
    )?.body
  const { root, run } = output
  return readJestJson(text, { root, describe, ...(run?.scope === 'file' && { only: run.target }) })
}

function scopeArguments(run: RunScope, root: string): readonly string[] {
  switch (run.scope) {
    case 'all':
      return []
    case 'file':
      // Absolute, so no option. Vitest also takes files whose path has this in it, and has no way to say otherwise.
      return [join(root, run.target)]
    case 'pattern':
      return [`--testNamePattern=${asText(run.target)}`]
  }
}

/** Vitest's command line makes 1000 of `1e3`. */
function asText(pattern: string): string {
  return Number.isNaN(Number(pattern)) ? pattern : `(?:${pattern})`
}
