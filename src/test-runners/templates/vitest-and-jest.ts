import { parseJson } from '../../system/text/parse-json.ts'
import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { z } from 'zod'
import { ownFile } from '../../system/own-package.ts'
import { anyFullName, packageProgram, runner, type RunnerOutput, type RunnerResults } from '../runner.ts'
import { lineInMessage, lineInStack, relativeFile } from '../readers/place.ts'
import { readComparison } from '../readers/comparison.ts'
import { noResults, noTests, readLeft, resultsOf, type ToldTest, unfinishedTests } from '../readers/reading.ts'

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
  template: { all: 'vitest run', file: 'vitest run FILE', pattern: 'vitest run --testNamePattern=PATTERN' },
  program: (root) => [...packageProgram(root, 'vitest'), 'run'],
  reporters: (dir) => [...ownReporter(), `--outputFile.mdtest=${join(dir, 'vitest.jsonl')}`],
  scope: {
    // An absolute path cannot look like an option. Vitest also runs files whose path contains this path.
    file: (path, root) => [join(root, path)],
    // Vitest's command line would turn `1e3` into 1000.
    pattern: (names) => [`--testNamePattern=${Number.isNaN(Number(names)) ? names : `(?:${names})`}`],
  },
  selectTests: anyFullName,
  changed: ['--changed'],
  readResults: (output) => readVitest(output, 'vitest.jsonl'),
})

/** Patterns are regular expressions for full names. A blocked test counts as failed. */
export const mdtest = runner({
  name: 'mdtest',
  packages: ['vitest-mdtest'],
  form: /(?:vitest-)?mdtest +run/,
  template: { all: 'mdtest run', file: 'mdtest run -- FILE', pattern: 'mdtest run --test-name-pattern=PATTERN' },
  program: (root) => [...packageProgram(root, 'vitest-mdtest'), 'run', '--headless'],
  reporters: (dir) => [...ownReporter(), `--output-file=${join(dir, 'mdtest.jsonl')}`],
  scope: { file: (path) => ['--', path], pattern: (names) => [`--test-name-pattern=${names}`] },
  selectTests: anyFullName,
  readResults: (output) => readVitest(output, 'mdtest.jsonl'),
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
    return text === undefined && isNoMatch ? noTests : readJest(text, output.root)
  },
})

function ownReporter(): readonly string[] {
  return ['--reporter=default', `--reporter=${ownFile('#vitest-reporter')}`]
}

const vitestLine = z.object({
  status: z.enum(['begun', 'passed', 'failed', 'skipped', 'over']),
  /** Absent for the whole run. */
  file: z.string().optional(),
  /** Absent for a whole file. */
  name: z.string().optional(),
  line: z.number().optional(),
  message: z.string().optional(),
  /** The compared values, as Vitest prints them. */
  diff: z.string().optional(),
})

export type VitestLine = z.infer<typeof vitestLine>

/** Reads the lines of `vitest-reporter.ts`. They count without an end only if the run was ended. */
async function readVitest({ root, run, exitCode, ...left }: RunnerOutput, results: string): Promise<RunnerResults> {
  const text = (await readLeft(left, results)) ?? ''
  const lines = text.split('\n').flatMap((line) => vitestLine.safeParse(parseJson(line)).data ?? [])
  const isOver = lines.at(-1)?.status === 'over'
  if (!isOver && exitCode !== null) return noResults
  const tests: ToldTest[] = []
  const begun = new Map<string, { readonly name: string; readonly file: string }>()
  for (const { status, file: path, name, ...told } of lines) {
    if (path === undefined || status === 'over') continue
    const file = relativeFile(path, root)
    const key = `${file}\n${name}`
    if (status === 'begun') begun.set(key, { name: name ?? file, file })
    else begun.delete(key)
    if (status === 'failed') tests.push(failed({ file, name, ...told }, root))
    else if (status !== 'begun' && name !== undefined) tests.push({ status, name, file })
  }
  const unfinished = unfinishedTests([...begun.values()])
  if (!isOver)
    return { ...(tests.length > 0 ? resultsOf(tests) : noResults), ...(unfinished.length > 0 && { unfinished }) }
  // A worker that crashes leaves tests without an end.
  tests.push(
    ...unfinished.map((test): ToldTest => ({ ...test, status: 'failed', message: 'It began and did not end.' })),
  )
  if (run?.scope === 'file') {
    const asked = realFile(join(root, run.target))
    const isAsked = ({ status, file = '' }: ToldTest): boolean =>
      status !== 'skipped' && realFile(join(root, file)) === asked
    if (!tests.some(isAsked)) return noTests
  }
  return resultsOf(tests)
}

function failed({ file, name, line, message, diff = '' }: Told, root: string): ToldTest {
  const stack = stripVTControlCharacters(message ?? '')
  const told = { status: 'failed', name: name ?? file, file, message: stack } as const // keeps the literal status
  const at = lineInStack(stack, { root, file }) ?? (name === undefined ? lineInMessage(stack, file) : line)
  const compared = readComparison(stripVTControlCharacters(diff))
  return { ...told, line: at, ...compared, ...(name === undefined && { standsFor: 'tests' }) }
}

type Told = Omit<VitestLine, 'status'> & { readonly file: string }

/** Compares real paths, because runners may resolve links. */
function realFile(path: string): string {
  return existsSync(path) ? realpathSync(path) : path
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

function readJest(text: string | undefined, root: string): RunnerResults {
  const { data } = reportSchema.safeParse(parseJson(text))
  return resultsOf(data?.testResults.flatMap((file) => testsOf(file, root)))
}

function testsOf(told: z.infer<typeof fileSchema>, root: string): readonly ToldTest[] {
  const file = relativeFile(told.name, root)
  const tests = told.assertionResults.map((test): ToldTest => {
    const name = [...test.ancestorTitles, test.title].join(' > ')
    const status = test.status === 'passed' || test.status === 'failed' ? test.status : 'skipped'
    if (status !== 'failed') return { status, name, file }
    return failed({ file, name, line: test.location?.line, message: test.failureMessages?.join('\n') }, root)
  })
  if (told.status !== 'failed' || tests.some(({ status }) => status === 'failed')) return tests
  // Jest prints a page of advice before the error: keep only the error.
  const message = told.message?.split(/^ +Details:\n|^ *● Test suite failed to run\n/m).at(-1)
  return [...tests, failed({ file, message }, root)]
}
