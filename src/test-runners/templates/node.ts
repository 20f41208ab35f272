import { isAbsolute, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { z } from 'zod'
import { ownFile } from '../../system/mdtest-package.ts'
import { lineInMessage, lineInStack, relativeFile } from '../readers/file-and-line.ts'
import { noResults, parseLines, readLeft, resultsOf, type ToldTest } from '../readers/read-results.ts'
import { anyTitle, runner } from '../runner.ts'

/** Patterns are regular expressions for names. Since Node.js 21, file arguments are globs. */
export const node = runner({
  name: 'node',
  form: /node\b.* --test/,
  inScript: /\bnode\b[^&|;]* --test\b/,
  console: {
    within: /^[#ℹ] tests \d+\n[#ℹ] suites \d+\n[^]*/m,
    summary: /^[#ℹ] ((?:pass|fail|cancelled|skipped|todo) \d+)$/gm,
    ...{ passed: 'pass', failed: 'fail|cancelled', skipped: 'skipped|todo' },
  },
  // If the user's command sets a reporter without a destination, Node.js refuses a second reporter.
  reporterOption: '--test-reporter',
  template: { all: 'node --test', file: 'node --test ./FILE', pattern: 'node --test --test-name-pattern=PATTERN' },
  program: () => ['node', '--test'],
  reporters: (dir) => [
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    // Node.js parses the reporter as a URL, so `#` and `%` in the path must be escaped.
    `--test-reporter=${pathToFileURL(ownFile('#node-reporter')).href}`,
    `--test-reporter-destination=${join(dir, 'node.jsonl')}`,
  ],
  // Node.js splits NODE_OPTIONS at blanks that are not in quotes.
  asEnv: (reporters) => ({
    NODE_OPTIONS: reporters.map((option) => `"${option.replaceAll(/["\\]/g, '\\$&')}"`).join(' '),
  }),
  scope: { pattern: (names) => [`--test-name-pattern=${names}`] },
  selectTests: anyTitle,
  async readResults(output) {
    const text = await readLeft(output, 'node.jsonl')
    // The process was killed before the first result.
    if (output.exitCode === null && text === '') return noResults
    // If Node.js finds no file to run, it creates an empty report.
    const isNoMatch = text !== undefined && /^Could not find /m.test(output.stderr)
    return resultsOf(readLines(isNoMatch ? '' : text, output.root))
  },
})

const lineSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('file'), file: z.string() }),
  z.object({ kind: z.literal('stderr'), file: z.string(), text: z.string() }),
  z.object({
    kind: z.literal('test'),
    name: z.string(),
    nesting: z.number(),
    isPassed: z.boolean(),
    isSkipped: z.boolean(),
    isSuite: z.boolean(),
    failureType: z.string().optional(),
    file: z.string().optional(),
    line: z.number().optional(),
    message: z.string().optional(),
    stack: z.string().optional(),
    expected: z.string().optional(),
    received: z.string().optional(),
  }),
])

export type NodeTestLine = z.infer<typeof lineSchema>
type Test = Extract<NodeTestLine, { kind: 'test' }> & { readonly titles: readonly string[] }

/** Reads the lines of `node-reporter.ts`. A file that failed outside its tests counts as a failed test. */
function readLines(text: string | undefined, root: string): readonly ToldTest[] | undefined {
  if (text === undefined) return undefined
  const lines = [...parseLines(text, lineSchema)]
  if (lines.length === 0 && text.trim() !== '') return undefined
  const files = new Set(lines.flatMap((line) => (line.kind === 'file' ? [line.file] : [])))
  return withTitles(lines)
    .filter(({ failureType, isPassed, isSuite }) => (isPassed ? !isSuite : failureType !== 'subtestsFailed'))
    .map(({ file, ...test }) => {
      // Node.js reports the file that calls `test`. If a helper calls `test`, the test's own file is unknown.
      const isOwn = file !== undefined && (files.size === 0 || files.has(file))
      return toldTest(isOwn ? { file, ...test } : test, lines, root)
    })
}

/** Adds the titles of groups to tests. A group is reported after its tests, so the lines are read from the end. */
function withTitles(lines: readonly NodeTestLine[]): readonly Test[] {
  const above: string[] = []
  return lines
    .filter((line) => line.kind === 'test')
    .toReversed()
    .map((test) => {
      above.length = Math.min(above.length, test.nesting)
      above.push(test.name)
      return { ...test, titles: [...above] }
    })
    .toReversed()
}

function isFileTest({ name, nesting, file }: Pick<Test, 'name' | 'nesting' | 'file'>, root: string): boolean {
  return nesting === 0 && file !== undefined && (name === file || resolve(root, name) === resolve(root, file))
}

function toldTest(test: Test, lines: readonly NodeTestLine[], root: string): ToldTest {
  const { isPassed, isSkipped, expected, received, message: said = '' } = test
  const file = test.file === undefined ? undefined : relativeFile(test.file, root)
  const name = isAbsolute(test.name) ? (file ?? test.name) : test.titles.join(' > ')
  const isWholeFile = isFileTest(test, root)
  const place = { name, file, ...(isWholeFile && { standsFor: { testsIn: file ?? name } }) }
  if (isPassed) return { status: isSkipped ? 'skipped' : 'passed', ...place }
  const printed = lines.map((line) =>
    isWholeFile && line.kind === 'stderr' && resolve(root, line.file) === test.file ? line.text : '',
  )
  const stderr = stripVTControlCharacters(printed.join(''))
  const stack = test.stack?.includes(said) ? test.stack : said
  const told = file === undefined ? undefined : lineInStack(test.stack ?? '', { root, file })
  const line = told ?? (stderr === '' || file === undefined ? test.line : lineInMessage(stderr, file))
  const message = stderr === '' ? stack : stderr
  return { status: 'failed', ...place, line, message, expected, received }
}
