import { join } from 'node:path'
import { packageProgram, anyFullName, scopeArguments } from '../command-parts.ts'
import type { Runner, RunnerOutput, RunnerResults } from '../runner.ts'
import { stripVTControlCharacters } from 'node:util'
import { readJestJson } from './jest.ts'
import { readResultsFile, linesOf, maxFailures } from '../readers/reading.ts'

const results = 'vitest.json'

export const vitest: Runner<'vitest'> = {
  name: 'vitest',
  packages: ['vitest'],
  files: [{ name: /^vitest\.config\.\w+$/ }],
  form: /vitest(?:\.mjs)?(?! +(?:bench|init|list|typecheck))/,
  template: { all: 'vitest run', file: 'vitest run FILE', pattern: 'vitest run --testNamePattern=PATTERN' },
  buildCommand({ run, resultsDir, root }) {
    const scope = scopeArguments(run, {
      // Absolute, so no option. Vitest also takes files whose path has this in it, and has no way to say otherwise.
      file: (path) => [join(root, path)],
      pattern: (names) => [`--testNamePattern=${asText(names)}`],
    })
    return { argv: [...packageProgram(root, 'vitest'), 'run', ...reporters(resultsDir), ...scope] }
  },
  selectTests: anyFullName,
  changed: ['--changed'],
  reporting: (resultsDir) => ({ args: reporters(resultsDir) }),
  readResults: (output) => readVitestResults(output, results),
}

function reporters(resultsDir: string): readonly string[] {
  return ['--reporter=default', '--reporter=json', `--outputFile.json=${join(resultsDir, results)}`]
}

async function readVitestResults(output: RunnerOutput, file: string): Promise<RunnerResults> {
  const text = await readResultsFile(join(output.resultsDir, file))
  let sections: ReturnType<typeof failureSections> | undefined
  const describe = (test: string): string | undefined =>
    (sections ??= failureSections(`${output.stdout}\n${output.stderr}`)).find(
      ({ heading }) => heading === test || heading.endsWith(` ${test}`),
    )?.body
  const { root, run } = output
  return readJestJson(text, { root, describe, ...(run?.scope === 'file' && { only: run.target }) })
}

/** Vitest's command line makes 1000 of `1e3`. */
function asText(pattern: string): string {
  return Number.isNaN(Number(pattern)) ? pattern : `(?:${pattern})`
}

interface FailureSection {
  readonly heading: string
  readonly body: string
}

const maxLines = 400

/** The sections under `Failed Tests` and `Failed Suites`. Tests that failed alike share one body. */
function failureSections(text: string): readonly FailureSection[] {
  const sections: { heading: string; lines: string[] }[] = []
  let lines: string[] | undefined
  for (const line of linesOf(stripVTControlCharacters(text))) {
    // With `includeTaskLocation` the file has a line and a column.
    const heading = /^ FAIL {2}(.+)$/
      .exec(line)?.[1]
      ?.replace(/:\d+:\d+(?= > )/, '')
      .trim()
    if (heading !== undefined) {
      if (sections.length === maxFailures) break
      if (lines === undefined || lines.length > 0) lines = []
      sections.push({ heading, lines })
    } else if (/^⎯+/.test(line)) lines = undefined
    else if (lines !== undefined && lines.length < maxLines) lines.push(line)
  }
  return sections.map(({ heading, lines: body }) => ({ heading, body: body.join('\n') }))
}

const ownResults = 'mdtest.json'

/** Patterns are regular expressions on full names. What is blocked has not passed: it is among the failed. */
export const mdtest: Runner<'mdtest'> = {
  name: 'mdtest',
  packages: ['vitest-mdtest'],
  form: /(?:vitest-)?mdtest +run/,
  template: { all: 'mdtest run', file: 'mdtest run -- FILE', pattern: 'mdtest run --test-name-pattern=PATTERN' },
  buildCommand({ run, resultsDir, root }) {
    const options = ['--headless', ...ownReporters(resultsDir)]
    const scope = scopeArguments(run, {
      file: (path) => ['--', path],
      pattern: (names) => [`--test-name-pattern=${names}`],
    })
    return { argv: [...packageProgram(root, 'vitest-mdtest'), 'run', ...options, ...scope] }
  },
  selectTests: anyFullName,
  reporting: (resultsDir) => ({ args: ownReporters(resultsDir) }),
  readResults: (output) => readVitestResults(output, ownResults),
}

function ownReporters(resultsDir: string): readonly string[] {
  return ['--reporter=default', '--reporter=json', `--output-file=${join(resultsDir, ownResults)}`]
}
