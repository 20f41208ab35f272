import { join, isAbsolute, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Runner, FailingTest, NamedTest, RunnerResults } from '../runner.ts'
import { scopeArguments, anyTitle } from '../command-parts.ts'
import { ownFile } from '../../system/own-package.ts'
import { stripVTControlCharacters } from 'node:util'
import { z } from 'zod'
import type { NodeTestLine } from '../readers/node-reporter.ts'
import { noResults, countTests, readResultsFile, parseJson, messageOf } from '../readers/reading.ts'
import { readComparison } from '../readers/comparison.ts'
import { lineInMessage, lineInStack, relativeFile } from '../readers/place.ts'

const results = 'node.jsonl'
const forms = { pattern: (names: string) => [`--test-name-pattern=${names}`] }

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
    return { argv: ['node', '--test', ...reporters(resultsDir), ...scopeArguments(run, forms)] }
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
    failureType: z.string().exactOptional(),
    file: z.string().exactOptional(),
    line: z.number().exactOptional(),
    message: z.string().exactOptional(),
    stack: z.string().exactOptional(),
    expected: z.string().exactOptional(),
    received: z.string().exactOptional(),
  }),
]) satisfies z.ZodType<NodeTestLine>

type TestLine = Extract<NodeTestLine, { kind: 'test' }>
type Test = TestLine & { readonly titles: readonly string[] }

/** Reads what `node-reporter.ts` wrote. A file that failed outside its tests is a failed test; one that passed is none. */
function readNodeLines(text: string | undefined, root: string): RunnerResults {
  if (text === undefined) return noResults
  const lines = text.split('\n').flatMap((line): NodeTestLine[] => {
    const parsed = lineSchema.safeParse(parseJson(line))
    return parsed.success ? [parsed.data] : []
  })
  if (lines.length === 0 && text.trim() !== '') return noResults
  const files = new Set(lines.flatMap((line) => (line.kind === 'file' ? [line.file] : [])))
  const tests = withTitles(lines)
    .filter((test) => isTest(test, root))
    .map((test) => withoutHelper(test, files))
  const failed = tests.filter(({ isPassed }) => !isPassed)
  return {
    counts: countTests(
      tests.map(({ isPassed, isSkipped }) => (isPassed ? (isSkipped ? 'skipped' : 'passed') : 'failed')),
    ),
    failingTests: failed.map((test) => failingTest(test, { root, stderr: stderrOf(test, { lines, root }) })),
    passedTests: tests.filter(({ isPassed, isSkipped }) => isPassed && !isSkipped).map((test) => identify(test, root)),
  }
}

/** Parents are told after what is in them, so titles are gathered from the end. */
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

function isTest({ isSuite, isPassed, failureType, ...test }: Test, root: string): boolean {
  if (failureType === 'subtestsFailed') return false
  return isPassed ? !isSuite && !isFile(test, root) : true
}

/** Node.js tells where a test was called: in a helper that is no file of those that ran, the test's own is not known. */
function withoutHelper({ file, ...test }: Test, files: ReadonlySet<string>): Test {
  const isOwn = file !== undefined && (files.size === 0 || files.has(file))
  return isOwn ? { file, ...test } : test
}

function isFile({ name, nesting, file }: Pick<TestLine, 'name' | 'nesting' | 'file'>, root: string): boolean {
  return nesting === 0 && file !== undefined && (name === file || resolve(root, name) === resolve(root, file))
}

function stderrOf(
  test: Test,
  { lines, root }: { readonly lines: readonly NodeTestLine[]; readonly root: string },
): string {
  if (!isFile(test, root)) return ''
  const own = lines.filter((line) => line.kind === 'stderr')
  return own
    .filter(({ file }) => resolve(root, file) === test.file)
    .map((line) => line.text)
    .join('')
}

function identify(test: Test, root: string): NamedTest {
  const file = test.file === undefined ? undefined : relativeFile(test.file, root)
  const name = isAbsolute(test.name) ? (file ?? test.name) : test.titles.join(' > ')
  return { name, ...(file !== undefined && { file }) }
}

function failingTest(test: Test, { root, stderr }: { readonly root: string; readonly stderr: string }): FailingTest {
  const identity = identify(test, root)
  const { file } = identity
  const stack = test.stack?.includes(test.message ?? '') ? test.stack : test.message
  const message = messageOf(stderr === '' ? (stack ?? '') : stderr)
  const told = file === undefined ? undefined : lineInStack(test.stack ?? '', { root, file })
  const line = told ?? (stderr === '' ? test.line : file && lineInMessage(stripVTControlCharacters(stderr), file))
  const comparison = readComparison(message)
  const { expected = comparison.expected, received = comparison.received } = test
  return {
    ...identity,
    ...(typeof line === 'number' && { line }),
    ...(isFile(test, root) && { standsFor: 'tests' as const }),
    message,
    ...(expected !== undefined && { expected }),
    ...(received !== undefined && { received }),
  }
}
