import { join, resolve } from 'node:path'
import { escapePattern, packageProgram, anyTitle, scopeArguments } from '../command-parts.ts'
import type { Reporting, Runner, FailingTest, RunnerResults } from '../runner.ts'
import { stripVTControlCharacters } from 'node:util'
import { z } from 'zod'
import { readResultsFile, parseJson, countTests, noResults, type TestStatus, messageOf } from '../readers/reading.ts'
import { readComparison } from '../readers/comparison.ts'
import { lineInStack, relativeFile } from '../readers/place.ts'

const results = 'playwright.json'

/** Patterns are regular expressions on full names, the file's name included. */
export const playwright: Runner<'playwright'> = {
  name: 'playwright',
  packages: ['@playwright/test'],
  files: [{ name: /^playwright\.config\.\w+$/ }],
  form: /playwright +test/,
  template: { all: 'playwright test', file: 'playwright test FILE', pattern: 'playwright test --grep=PATTERN' },
  buildCommand({ run, resultsDir, root }) {
    const { args, env } = reporting(resultsDir)
    const scope = scopeArguments(run, {
      // Playwright takes a regular expression here, with `:LINE` behind it.
      file: (path) => [escapePattern(join(root, path))],
      pattern: (names) => [`--grep=${names}`],
    })
    return { argv: [...packageProgram(root, 'playwright'), 'test', ...args, ...scope], env }
  },
  selectTests: anyTitle,
  changed: ['--only-changed'],
  reporting,
  async readResults({ resultsDir, root }) {
    return readPlaywrightJson(await readResultsFile(join(resultsDir, results)), root)
  },
}

function reporting(resultsDir: string): Required<Reporting> {
  return { args: ['--reporter=line,json'], env: { PLAYWRIGHT_JSON_OUTPUT_NAME: join(resultsDir, results) } }
}

const errorSchema = z.object({
  message: z.string().optional(),
  value: z.string().optional(),
  stack: z.string().optional(),
  location: z.object({ file: z.string(), line: z.number() }).optional(),
})

const specSchema = z.object({
  title: z.string(),
  file: z.string(),
  line: z.number(),
  tests: z.array(
    z.object({
      status: z.string(),
      projectName: z.string(),
      results: z.array(z.object({ errors: z.array(errorSchema) })),
    }),
  ),
})

const suiteSchema = z.object({
  title: z.string(),
  file: z.string().optional(),
  specs: z.array(specSchema),
  get suites() {
    return z.array(suiteSchema).optional()
  },
})

const reportSchema = z.object({
  config: z.object({ rootDir: z.string() }),
  suites: z.array(suiteSchema),
  errors: z.array(errorSchema),
})

type Suite = z.infer<typeof suiteSchema>
type RunError = z.infer<typeof errorSchema>
interface Test {
  readonly name: string
  readonly file: string
  readonly line: number
  readonly status: TestStatus
  readonly errors: readonly RunError[]
}

/** Reads Playwright's JSON report. An error outside any test, such as a file that cannot be read, is a failed one. */
function readPlaywrightJson(text: string | undefined, root: string): RunnerResults {
  const report = reportSchema.safeParse(parseJson(text))
  if (!report.success) return noResults
  const { config, suites, errors } = report.data
  const place = { root, rootDir: config.rootDir }
  // The file of the outermost suite: a test may be defined in a helper, whose file is another.
  const tests = suites.flatMap((suite) =>
    testsOf(suite, []).map((test) => ({ ...test, file: suite.file ?? test.file })),
  )
  const outside = errors.filter(({ message }) => !message?.startsWith('Error: No tests found'))
  const failingTests = [
    ...tests.filter(({ status }) => status === 'failed').map((test) => failingTest(test, place)),
    ...outside.map((error) => outsideTests(error, root)),
  ]
  return {
    counts: countTests([...tests.map(({ status }) => status), ...outside.map(() => 'failed' as const)]),
    failingTests,
    passedTests: tests
      .filter(({ status }) => status === 'passed')
      .map((test) => ({ name: test.name, file: fileOf(test, place) })),
  }
}

interface Project {
  readonly root: string
  readonly rootDir: string
}

function fileOf({ file }: Test, { root, rootDir }: Project): string {
  return relativeFile(resolve(rootDir, file), root)
}

/** Titles begin below the file, whose title is its path. */
function testsOf(suite: Suite, titles: readonly string[]): readonly Test[] {
  const own = suite.specs.flatMap(({ title, file, line, tests }) =>
    tests.map(({ status, projectName, results }) => ({
      name: [...(projectName === '' ? [] : [`[${projectName}]`]), ...titles, title].join(' > '),
      file,
      line,
      status: statusOf(status),
      errors: results.at(-1)?.errors ?? [],
    })),
  )
  return [...own, ...(suite.suites ?? []).flatMap((inner) => testsOf(inner, [...titles, inner.title]))]
}

function statusOf(status: string): TestStatus {
  if (status === 'expected' || status === 'flaky') return 'passed'
  return status === 'skipped' ? 'skipped' : 'failed'
}

function failingTest(test: Test, project: Project): FailingTest {
  const { root } = project
  const text = textOf(test.errors[0])
  const file = fileOf(test, project)
  const location = test.errors
    .map((error) => error.location)
    .find((each) => each && relativeFile(each.file, root) === file)
  // It does not find the place of an error below a folder with brackets.
  const stacks = test.errors.map(({ stack, message: told }) => stripVTControlCharacters(stack ?? told ?? ''))
  const line = location?.line ?? lineInStack(stacks.join('\n'), { root, file }) ?? test.line
  const message = messageOf(text)
  return { name: test.name, file, line, message, ...readComparison(message) }
}

function outsideTests(error: RunError, root: string): FailingTest {
  const message = messageOf(textOf(error))
  if (error.location === undefined) return { name: message.split('\n', 1)[0] ?? '', message, standsFor: 'any' }
  const file = relativeFile(error.location.file, root)
  return { name: file, file, line: error.location.line, message, standsFor: 'any' }
}

function textOf(error: RunError | undefined): string {
  const text = stripVTControlCharacters(error?.message ?? error?.value ?? '')
  const lines = text.split('\n')
  const source = lines.findIndex((line) => /^(?:> |  )? *\d+ \|/.test(line))
  return (source > 0 ? lines.slice(0, source) : lines).join('\n').trim()
}
