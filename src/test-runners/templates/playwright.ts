import { parseJson } from '../../system/text/parse-json.ts'
import { join, resolve } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { z } from 'zod'
import { quoteRegex } from '../../system/text/shell-and-regex-quotes.ts'
import { lineInStack, relativeFile } from '../readers/file-and-line.ts'
import { plainMessage, readLeft, resultsOf, type TestStatus, type ToldTest } from '../readers/read-results.ts'
import { anyTitle, packageProgram, runner } from '../runner.ts'

/** Patterns are regular expressions for full names, which include the file's name. */
export const playwright = runner({
  name: 'playwright',
  packages: ['@playwright/test'],
  files: [{ name: /^playwright\.config\.\w+$/ }],
  form: /playwright +test/,
  console: {
    within: /^Running \d+ tests? using \d+ workers?[^]*/m,
    summary: /^ {2}(\d+ (?:failed|flaky|skipped|passed|did not run|interrupted))\b/gm,
    ...{ passed: 'passed|flaky', failed: 'failed|interrupted', skipped: 'skipped|did not run' },
  },
  template: { all: 'playwright test', file: 'playwright test FILE', pattern: 'playwright test --grep=PATTERN' },
  program: (root) => [...packageProgram(root, 'playwright'), 'test'],
  reporters: () => ['--reporter=line,json'],
  env: (dir) => ({ PLAYWRIGHT_JSON_OUTPUT_NAME: join(dir, 'playwright.json') }),
  scope: {
    // Playwright expects a regular expression, optionally followed by `:LINE`.
    file: (path, root) => [quoteRegex(join(root, path))],
    pattern: (names) => [`--grep=${names}`],
  },
  selectTests: anyTitle,
  changed: ['--only-changed'],
  readResults: async (output) => resultsOf(readReport(await readLeft(output, 'playwright.json'), output.root)),
})

const errorSchema = z.object({
  message: z.string().optional(),
  value: z.string().optional(),
  stack: z.string().optional(),
  location: z.object({ file: z.string(), line: z.number() }).optional(),
})

const testSchema = z.object({
  status: z.string(),
  projectName: z.string(),
  results: z.array(z.object({ errors: z.array(errorSchema) })),
})

const suiteSchema = z.object({
  title: z.string(),
  file: z.string().optional(),
  specs: z.array(z.object({ title: z.string(), file: z.string(), line: z.number(), tests: z.array(testSchema) })),
  get suites() {
    return z.array(suiteSchema).optional()
  },
})

const reportSchema = z.object({
  config: z.object({ rootDir: z.string() }),
  suites: z.array(suiteSchema),
  errors: z.array(errorSchema),
})

/** Reads Playwright's JSON report. An error outside any test, such as an unreadable file, counts as a failed test. */
function readReport(text: string | undefined, root: string): readonly ToldTest[] | undefined {
  const { data } = reportSchema.safeParse(parseJson(text))
  if (data === undefined) return undefined
  const place = { root, rootDir: data.config.rootDir }
  const outside = data.errors.filter(({ message }) => !message?.startsWith('Error: No tests found'))
  return [
    ...data.suites.flatMap((suite) => testsOf(suite, { ...place, titles: [], file: suite.file })),
    ...outside.map((error) => outsideTests(error, root)),
  ]
}

interface Above {
  readonly root: string
  readonly rootDir: string
  readonly titles: readonly string[]
  /** File of the outermost suite. `spec.file` may be another file, such as a helper that calls `test`. */
  readonly file: string | undefined
}

function testsOf(suite: z.infer<typeof suiteSchema>, above: Above): readonly ToldTest[] {
  const { root, rootDir, titles } = above
  const own = suite.specs.flatMap((spec) => {
    const file = relativeFile(resolve(rootDir, above.file ?? spec.file), root)
    return spec.tests.map(({ status, projectName, results }): ToldTest => {
      const errors = results.at(-1)?.errors ?? []
      const project = projectName === '' ? [] : [`[${projectName}]`]
      const located = errors.find(({ location }) => location && relativeFile(location.file, root) === file)
      // If a folder's name contains brackets, Playwright reports no location, so search the stacks, too.
      const stacks = errors.map(({ stack, message }) => stripVTControlCharacters(stack ?? message ?? '')).join('\n')
      return {
        status: statuses.get(status) ?? 'failed',
        name: [...project, ...titles, spec.title].join(' > '),
        file,
        line: located?.location?.line ?? lineInStack(stacks, { root, file }) ?? spec.line,
        message: errorText(errors[0]),
      }
    })
  })
  const inner = suite.suites ?? []
  return [...own, ...inner.flatMap((each) => testsOf(each, { ...above, titles: [...titles, each.title] }))]
}

const statuses: ReadonlyMap<string, TestStatus> = new Map([
  ['expected', 'passed'],
  ['flaky', 'passed'],
  ['skipped', 'skipped'],
])

function outsideTests(error: z.infer<typeof errorSchema>, root: string): ToldTest {
  const message = plainMessage(errorText(error))
  const file = error.location && relativeFile(error.location.file, root)
  const name = file ?? message.split('\n', 1)[0] ?? ''
  return { status: 'failed', name, file, line: error.location?.line, message, standsFor: 'any' }
}

function errorText(error: z.infer<typeof errorSchema> | undefined): string {
  const lines = stripVTControlCharacters(error?.message ?? error?.value ?? '').split('\n')
  const source = lines.findIndex((line) => /^(?:> |  )? *\d+ \|/.test(line))
  return (source > 0 ? lines.slice(0, source) : lines).join('\n')
}
