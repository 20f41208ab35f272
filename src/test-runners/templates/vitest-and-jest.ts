import { parseJson } from '../../system/text/parse-json.ts'
import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { z } from 'zod'
import { anyFullName, packageProgram, runner, type RunnerOutput, type RunnerResults } from '../runner.ts'
import { ownFile } from '../../system/mdtest-package.ts'
import { lineInMessage, lineInStack, relativeFile } from '../readers/file-and-line.ts'
import { readComparison } from '../readers/expected-and-received.ts'
import {
  noResults,
  noTests,
  parseLines,
  readLeft,
  resultsOf,
  withoutFrames,
  type ToldTest,
} from '../readers/read-results.ts'

export const vitest = runner({
  name: 'vitest',
  packages: ['vitest'],
  files: [{ name: /^vitest\.config\.\w+$/ }],
  form: /vitest(?:\.mjs)?(?! +(?:bench|init|list|typecheck))/,
  console: {
    summary: /^ +Tests {2}(.*\(\d+\)|no tests)$/gm,
    ...{ passed: 'passed', failed: 'failed', skipped: 'skipped|todo' },
    broken: /^ FAIL {2}(?:\|[^|]*\| )?(\S.*) \[ \1 \]$/gm,
  },
  failure: /^ +Errors {2}\d+ errors?$|^ERROR: Coverage for .* does not meet .*/m,
  template: { all: 'vitest run', file: 'vitest run FILE', pattern: 'vitest run --testNamePattern=PATTERN' },
  program: (root) => [...packageProgram(root, 'vitest'), 'run'],
  reporters: (dir) => [...ownReporters(), `--outputFile.json=${join(dir, 'vitest.json')}`],
  scope: {
    // An absolute path cannot look like an option. Vitest runs every file whose path contains this path.
    file: (path, root) => [join(root, path)],
    // Vitest would turn the pattern `1e3` into the number 1000.
    pattern: (names) => [`--testNamePattern=${Number.isNaN(Number(names)) ? names : `(?:${names})`}`],
  },
  selectTests: anyFullName,
  changed: ['--changed'],
  readResults: (output) => readVitest(output, 'vitest.json'),
})

/** Patterns are regular expressions for full names. A blocked test counts as failed. */
export const mdtest = runner({
  name: 'mdtest',
  packages: ['vitest-mdtest'],
  form: /(?:vitest-)?mdtest +run/,
  template: { all: 'mdtest run', file: 'mdtest run -- FILE', pattern: 'mdtest run --test-name-pattern=PATTERN' },
  program: (root) => [...packageProgram(root, 'vitest-mdtest'), 'run', '--headless'],
  reporters: (dir) => [...ownReporters(), `--output-file=${join(dir, 'mdtest.json')}`],
  scope: { file: (path) => ['--', path], pattern: (names) => [`--test-name-pattern=${names}`] },
  selectTests: anyFullName,
  readResults: (output) => readVitest(output, 'mdtest.json'),
})

export const jest = runner({
  name: 'jest',
  packages: ['jest'],
  files: [{ name: /^jest\.config\.\w+$/ }],
  form: /jest(?:\.js)?/,
  console: {
    summary: /^Tests: +(.*\d+ total)$/gm,
    ...{ passed: 'passed', failed: 'failed', skipped: 'skipped|todo' },
    broken: /^ {2}● Test suite failed to run$/gm,
  },
  failure: /^Jest: .*coverage threshold .* not met.*/m,
  template: {
    all: 'jest --ci',
    file: 'jest --ci --runTestsByPath FILE',
    pattern: 'jest --ci --testNamePattern=PATTERN',
  },
  program: (root) => [...packageProgram(root, 'jest'), '--ci', '--watchAll=false'],
  reporters: (dir) => ['--testLocationInResults', '--json', `--outputFile=${join(dir, 'jest.json')}`],
  scope: {
    file: (path, root) => ['--runTestsByPath', join(root, path)],
    pattern: (names) => [`--testNamePattern=${names}`],
  },
  selectTests: anyFullName,
  changed: ['--onlyChanged'],
  async readResults(output) {
    const text = await readLeft(output, 'jest.json')
    // If Jest finds no tests, it writes no report.
    const isNoMatch = /^No tests found, exiting/m.test(`${output.stdout}\n${output.stderr}`)
    return text === undefined && isNoMatch ? noTests : readJson(text, { root: output.root })
  },
})

function ownReporters(): readonly string[] {
  return ['default', 'json', ownFile('#vitest-reporter')].map((name) => `--reporter=${name}`)
}

async function readVitest(output: RunnerOutput, file: string): Promise<RunnerResults> {
  const { root, run, exitCode } = output
  const told = lastLines(await readLeft(output, `${file}l`))
  // If the run was ended, Vitest wrote no report.
  if (exitCode === null) return told.size === 0 ? noResults : resultsOfLines([...told.values()], root)
  const describe = (key: string): string => {
    const line = told.get(key)
    return stripVTControlCharacters(line?.assertionResults[0]?.failureMessages?.join('\n') ?? line?.message ?? '')
  }
  return readJson(await readLeft(output, file), { root, describe, ...(run?.scope === 'file' && { only: run.target }) })
}

const testSchema = z.object({
  ancestorTitles: z.array(z.string()),
  title: z.string(),
  status: z.string(),
  failureMessages: z.array(z.string()).nullish(),
  location: z.object({ line: z.number() }).nullish(),
})

const fileSchema = z.object({
  name: z.string(),
  status: z.string(),
  message: z.string().nullish(),
  assertionResults: z.array(testSchema),
})

const reportSchema = z.object({ testResults: z.array(fileSchema) })

/** A line of `vitest-reporter.ts`: about a file, or about one test. */
export type VitestLine = z.infer<typeof fileSchema>

interface Project {
  readonly root: string
  /** Returns the text of a failure with its message and the compared values, which Vitest's report can lack. */
  readonly describe?: (key: string) => string
  /** The requested file, relative to the root. If no test of this file ran, the results are `noTests`. */
  readonly only?: string
}

function readJson(text: string | undefined, project: Project): RunnerResults {
  const { data } = reportSchema.safeParse(parseJson(text))
  const { root, only } = project
  const files = data?.testResults.map((file) => ({ name: file.name, tests: testsOf(file, project) }))
  const isAsked = ({ name, tests }: NonNullable<typeof files>[number]): boolean =>
    tests.some(({ status }) => status !== 'skipped') && isSameFile(name, join(root, only ?? ''))
  if (only !== undefined && files?.some(isAsked) === false) return noTests
  return resultsOf(files?.flatMap(({ tests }) => tests))
}

/** Reads the lines of `vitest-reporter.ts`. The last line about a test or file has its final state. */
function lastLines(text = ''): ReadonlyMap<string, VitestLine> {
  const last = new Map<string, VitestLine>()
  for (const line of parseLines(text, fileSchema)) last.set(keyInFile(line.name, line.assertionResults[0]), line)
  return last
}

function keyInFile(file: string, test?: Pick<z.infer<typeof testSchema>, 'ancestorTitles' | 'title'>): string {
  return [file, ...(test ? [...test.ancestorTitles, test.title] : [])].join('\n')
}

function resultsOfLines(lines: readonly VitestLine[], root: string): RunnerResults {
  const begun = lines.filter(({ status, assertionResults: [test] }) => (test ?? { status }).status === 'run')
  const settled = lines.filter((line) => !begun.includes(line)).flatMap((line) => testsOf(line, { root }))
  const tests = begun.flatMap((line) => testsOf(line, { root }).map(({ file, name }) => `${file} > ${name}`))
  const files = begun.filter(({ assertionResults }) => assertionResults.length === 0)
  const alone = files
    .map(({ name }) => relativeFile(name, root))
    .filter((file) => !tests.some((test) => test.startsWith(`${file} > `)))
  return { ...resultsOf(settled.length === 0 ? undefined : settled), unfinished: [...tests, ...alone] }
}

/** Compares real paths, because runners may resolve links. */
function isSameFile(a: string, b: string): boolean {
  return a === b || (existsSync(a) && existsSync(b) && realpathSync(a) === realpathSync(b))
}

function testsOf(told: VitestLine, { root, describe }: Project): readonly ToldTest[] {
  const file = relativeFile(told.name, root)
  const tests = told.assertionResults.map((test): ToldTest => {
    // Vitest 1 has an unnamed group around all tests.
    const name = [...test.ancestorTitles.filter((title) => title !== ''), test.title].join(' > ')
    const status = test.status === 'passed' || test.status === 'failed' ? test.status : 'skipped'
    if (status !== 'failed') return { status, name, file }
    const stack = stripVTControlCharacters(test.failureMessages?.join('\n') ?? '')
    const line = lineInStack(stack, { root, file }) ?? test.location?.line
    const own = describe?.(keyInFile(told.name, test)) ?? ''
    return { status, name, file, line, message: own === '' ? stack : own, ...readComparison(withoutFrames(own)) }
  })
  if (told.status !== 'failed' || tests.some(({ status }) => status === 'failed')) return tests
  const message = stripVTControlCharacters(told.message ?? '')
  const line = lineInMessage(message, file) ?? lineInMessage(describe?.(told.name) ?? '', file)
  // Jest prints a page of advice before the error. Keep only the error.
  const details = message.split(/^ +Details:\n|^ *● Test suite failed to run\n/m).at(-1)
  return [...tests, { status: 'failed', name: file, file, line, message: details, standsFor: { testsIn: file } }]
}
