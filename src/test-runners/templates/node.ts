import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { noResults, addCounts } from '../readers/common/count-tests.ts'
import { readNodeLines } from '../readers/node-lines.ts'
import { readResultsFile } from '../readers/common/results-file.ts'
import type { Runner, FailingTest, RunnerResults } from '../runner.ts'
import { scopeArguments, anyTitle } from '../command-parts.ts'
import { readComparison } from '../readers/common/comparison.ts'
import { messageOf, maxFailures } from '../readers/common/text.ts'
import { ownFile } from '../../system/own-package.ts'

const results = 'node.jsonl'

/** Node's own test runner. Patterns are regular expressions on names; since Node.js 21 a file is a glob. */
export const node: Runner<'node'> = {
  name: 'node',
  form: /node\b.* --test/,
  inScript: /\bnode\b[^&|;]* --test\b/,
  // Node.js wants a destination for each reporter.
  reporterOption: '--test-reporter',
  countsFiles: true,
  template: { all: 'node --test', file: 'node --test ./FILE', pattern: 'node --test --test-name-pattern=PATTERN' },
  buildCommand({ run, resultsDir }) {
    return { argv: ['node', '--test', ...reporters(resultsDir), ...scopeArguments(run, '--test-name-pattern')] }
  },
  selectTests: anyTitle,
  reporting: (resultsDir) => ({ args: [], env: { NODE_OPTIONS: reporters(resultsDir).map(quoteOption).join(' ') } }),
  async readResults({ stderr, resultsDir, root, exitCode }) {
    const text = await readResultsFile(join(resultsDir, results))
    // It was ended before it came to anything.
    if (exitCode === null && text === '') return noResults
    // Node.js opens the file and then finds nothing to run.
    return readNodeLines(text === undefined && /^Could not find /m.test(stderr) ? '' : text, root)
  },
  readPlain: readPlainNode,
}

function reporters(resultsDir: string): readonly string[] {
  return [
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    // Taken for a URL: in a path `#` and `%` would have a meaning.
    `--test-reporter=${pathToFileURL(ownFile('#node-reporter')).href}`,
    `--test-reporter-destination=${join(resultsDir, results)}`,
  ]
}

/** As Node.js reads `NODE_OPTIONS`. */
function quoteOption(option: string): string {
  return `"${option.replaceAll(/["\\]/g, '\\$&')}"`
}

/** Node's own test runner, with its reporters `spec` and `tap`. */
function readPlainNode(text: string): RunnerResults | undefined {
  const summaries = text.split(/^[#ℹ] tests (?=\d+$)/m).slice(1)
  if (summaries.length === 0 || !/^[#ℹ] suites \d+$/m.test(text)) return undefined
  const counts = summaries.map((summary) => ({
    passed: countOf(summary, 'pass'),
    failed: countOf(summary, 'fail') + countOf(summary, 'cancelled'),
    skipped: countOf(summary, 'skipped') + countOf(summary, 'todo'),
  }))
  return { counts: addCounts(counts), failingTests: [...failuresOfSpec(text), ...failuresOfTap(text)] }
}

function countOf(summary: string, word: string): number {
  return Number(new RegExp(`^[#ℹ] ${word} (\\d+)$`, 'm').exec(summary)?.[1] ?? 0)
}

function failuresOfSpec(text: string): readonly FailingTest[] {
  const sections = text.split(/^✖ failing tests:$/m).slice(1)
  return sections
    .flatMap((section) => section.split(/^test at (?=\S)/m, maxFailures).slice(1))
    .flatMap((failure): FailingTest[] => {
      const [, file, line, name, body = ''] =
        /^(\S.*?):(\d+):\d+\n✖ (.+?)(?: \([\d.]+ms\))?\n([\s\S]*)$/.exec(failure) ?? []
      return file === undefined || name === undefined ? [] : [failingTest({ name, file, line: Number(line), body })]
    })
}

function failuresOfTap(text: string): readonly FailingTest[] {
  const failures = text.split(/^ *not ok (?=\d+ - )/m, maxFailures).slice(1)
  return failures.flatMap((failure): FailingTest[] => {
    const name = /^\d+ - (.+)$/m.exec(failure)?.[1] ?? ''
    const body = failure.split(/^ *\.\.\.$/m, 1)[0] ?? ''
    if (body.includes('subtestsFailed') || / # (?:TODO|SKIP)/.test(name)) return []
    const [, , file, line] = /^ *location: (['"])(.+):(\d+):\d+\1$/m.exec(body) ?? []
    const block = body.split(/^ *error: \|-\n/m)[1]?.split(/^ *\w+: /m, 1)[0]
    const error = block ?? /^ *error: '?(.*?)'?$/m.exec(body)?.[1] ?? ''
    return [{ ...failingTest({ name, file, line: Number(line), body: error }), ...readComparison(body) }]
  })
}

interface NodeFailure {
  readonly name: string
  readonly file: string | undefined
  readonly line: number
  readonly body: string
}

function failingTest({ name, file, line, body }: NodeFailure): FailingTest {
  return { name, ...(file !== undefined && { file, line }), message: messageOf(body), ...readComparison(body) }
}
