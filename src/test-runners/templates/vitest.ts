import { join } from 'node:path'
import { readJestJson } from '../readers/jest-json.ts'
import { packageProgram, escapePattern, anyFullName } from '../command-parts.ts'
import { readResultsFile } from '../readers/common/results-file.ts'
import type { Runner, RunnerOutput, RunnerResults, RunScope, FailingTest } from '../runner.ts'
import { stripVTControlCharacters } from 'node:util'
import { readComparison } from '../readers/common/comparison.ts'
import { addCounts } from '../readers/common/count-tests.ts'
import { linesOf, messageOf, countIn, maxFailures } from '../readers/common/text.ts'

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
  selectTests: anyFullName,
  changed: ['--changed'],
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

/** What the default reporter tells of one failed test or file. */
interface FailureSection {
  /** `[|project| ]file > suite > test`. */
  readonly heading: string
  readonly body: string
}

/** Of one failure. */
const maxLines = 400

/** Vitest's reporter `default`. */
function readPlainVitest(text: string): RunnerResults | undefined {
  const tests = [...text.matchAll(/^ +Tests {2}(.*\(\d+\)|no tests)$/gm)].map(([, told = '']) => told)
  const failingTests = failureSections(text).map(failingTest)
  if (tests.length === 0) return failingTests.length === 0 ? undefined : { counts: null, failingTests }
  const files = failingTests.filter(({ name, file }) => name === file)
  const counts = tests.map((told) => ({
    passed: countIn(told, 'passed'),
    failed: countIn(told, 'failed'),
    skipped: countIn(told, 'skipped') + countIn(told, 'todo'),
  }))
  return { counts: addCounts([...counts, { passed: 0, failed: files.length, skipped: 0 }]), failingTests }
}

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

function failingTest({ heading, body }: FailureSection): FailingTest {
  const told = heading.replace(/^\|[^|]*\| /, '')
  const broken = /^(\S.*) \[ \1 \]$/.exec(told)?.[1]
  const [path = '', ...titles] = told.split(' > ')
  const file = broken ?? path
  const message = body.split(/\n\n|\n ❯ /, 1)[0] ?? ''
  const line = new RegExp(`❯ (?:.* )?${escapePattern(file)}:(\\d+)`).exec(body)?.[1]
  return {
    name: titles.length === 0 ? file : titles.join(' > '),
    file,
    ...(line !== undefined && { line: Number(line) }),
    message: messageOf(message),
    ...readComparison(body),
  }
}
