import { stripVTControlCharacters } from 'node:util'
import type { z } from 'zod'
import { parseJson } from '../../system/text/parse-json.ts'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ConsoleForm, FailingTest, NamedTest, RunnerOutput, RunnerResults, TestCounts } from '../runner.ts'
import { withoutUndefined } from '../../system/without-undefined.ts'
import { readComparison } from './expected-and-received.ts'
import { relativeFile } from './file-and-line.ts'

export type TestStatus = 'passed' | 'failed' | 'skipped'

export type ToldTest = { readonly [Key in keyof FailingTest]?: FailingTest[Key] | undefined } & {
  readonly status: TestStatus
  readonly name: string
}

export const noResults: RunnerResults = { counts: null, failingTests: [] }

export const noTests: RunnerResults = { counts: { total: 0, passed: 0, failed: 0, skipped: 0 }, failingTests: [] }

export function resultsOf(told: readonly ToldTest[] | undefined): RunnerResults {
  if (told === undefined) return noResults
  const tests = told.filter(({ status, standsFor }) => status !== 'passed' || standsFor === undefined)
  const having = (status: TestStatus): readonly ToldTest[] => tests.filter((test) => test.status === status)
  const [passed, failed, skipped] = [having('passed'), having('failed'), having('skipped')]
  return {
    counts: { total: tests.length, passed: passed.length, failed: failed.length, skipped: skipped.length },
    ...(tests.length < told.length && { emptyFiles: told.length - tests.length }),
    failingTests: failed.map(failingTest),
    passedTests: passed.map(namedTest),
    ...(skipped.length > 0 && { skippedTests: skipped.map(namedTest) }),
  }
}

function namedTest({ name, file }: ToldTest): NamedTest {
  return withoutUndefined<NamedTest>({ name, file })
}

function failingTest({ status: _status, message: text = '', expected, received, ...test }: ToldTest): FailingTest {
  const message = plainMessage(text)
  const told = test.standsFor === undefined ? readComparison(message) : {}
  return withoutUndefined<FailingTest>({
    ...test,
    line: test.file === undefined ? undefined : test.line,
    message,
    expected: expected ?? told.expected,
    received: received ?? told.received,
  })
}

const maxCharacters = 4000

const stackFrame = /^\s+at .*(?::\d+:\d+\)?|<anonymous>\)?)$/

/** Removes JavaScript stack frames, which look like unchanged lines of a diff. */
export function withoutFrames(text: string): string {
  return text
    .split('\n')
    .filter((line) => !stackFrame.test(line))
    .join('\n')
}

export function plainMessage(text: string): string {
  const lines = stripVTControlCharacters(text.slice(0, 4 * maxCharacters)).split('\n')
  const firstFrame = lines.findIndex((line) => stackFrame.test(line))
  const message = (firstFrame > 0 ? lines.slice(0, firstFrame) : lines).join('\n').trim()
  return message.length > maxCharacters ? `${message.slice(0, maxCharacters)}…` : message
}

/** Yields the lines one by one, because output may have millions of lines. */
export function* linesOf(text: string): Generator<string, void> {
  let start = 0
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
    yield text.slice(start, end)
    start = end + 1
  }
  yield text.slice(start)
}

/** Parses JSON lines. Leaves out other lines, such as a last line that was cut off. */
export function* parseLines<T>(text: string, schema: z.ZodType<T>): Generator<T, void> {
  for (const line of linesOf(text)) {
    const { data } = schema.safeParse(parseJson(line))
    if (data !== undefined) yield data
  }
}

export function withoutVariance(text: string): string {
  return text
    .replaceAll(/\b\d{4}-\d\d-\d\d[T ][\d:.]+Z?/g, 'TIME')
    .replaceAll(/\b0x[\da-f]+\b/gi, 'ADDRESS')
    .replaceAll(/\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/gi, 'ID')
    .replaceAll(/\b[\d.]+ ?(?:ms|s|seconds?)\b/g, 'DURATION')
    .replaceAll(/\/tmp\/\S+/g, 'TEMPORARY')
    .replaceAll(/\b(?:127\.0\.0\.1|localhost):\d+/g, 'PORT')
}

/** Limit for failures in one run: a program can print millions of lines that look like failures. */
export const maxFailures = 1000

/** Larger result files are ignored. The results of ten thousand tests are smaller with any runner. */
const maxBytes = 128 * 1024 * 1024

/** Times of files can be wrong by this much, because of the file system's clock. */
export const clockStepMs = 20

export async function readResultsFile(file: string): Promise<string | undefined> {
  const found = await stat(file).catch(() => undefined)
  if (!found?.isFile() || found.size > maxBytes) return undefined
  return await readFile(file, 'utf8').catch(() => undefined)
}

export function readLeft({ resultsDir }: Pick<RunnerOutput, 'resultsDir'>, name: string): Promise<string | undefined> {
  return readResultsFile(join(resultsDir, name))
}

export function addCounts(all: readonly Omit<TestCounts, 'total'>[]): TestCounts {
  const sum = (key: 'passed' | 'failed' | 'skipped'): number => all.reduce((total, each) => total + each[key], 0)
  const [passed, failed, skipped] = [sum('passed'), sum('failed'), sum('skipped')]
  return { total: passed + failed + skipped, passed, failed, skipped }
}

export function countConsole(text: string, form: ConsoleForm): readonly Omit<TestCounts, 'total'>[] {
  const searched = form.within === undefined ? text : (form.within.exec(text)?.[0] ?? '')
  const summaries = [...searched.matchAll(form.summary)].map(([, told = '']) => told)
  if (summaries.length === 0) return []
  const counts = summaries.slice(form.isRunning ? -1 : 0).map((told) => {
    const [failed, skipped] = [sumOf(told, form.failed), sumOf(told, form.skipped)]
    const others = form.tellsAll ? failed + skipped : 0
    return { passed: sumOf(told, form.passed) - others, failed, skipped }
  })
  const broken = form.broken === undefined ? 0 : [...text.matchAll(form.broken)].length
  return [...counts, { passed: 0, failed: broken, skipped: 0 }]
}

function sumOf(text: string, words: string): number {
  const numbers = [...text.matchAll(new RegExp(`(\\d+) (?:${words})(?!\\w)|(?<!\\w)(?:${words}) *(\\d+)`, 'g'))]
  return numbers.reduce((sum, [, before, after]) => sum + Number(before ?? after), 0)
}

/** Match compiler errors of javac (in Gradle and Maven), kotlinc and csc, each in one line. */
const forms: readonly RegExp[] = [
  /^(?<file>\/\S.*?\.\w+):(?<line>\d+): error: (?<message>.+)$/,
  /^\[ERROR\] (?<file>\/\S.*?\.\w+):\[(?<line>\d+),\d+\] (?<message>.+)$/,
  /^e: (?:file:\/\/)?(?<file>\/\S.*?\.kts?):(?<line>\d+):\d+:? (?<message>.+)$/,
  /^\s*(?<file>\/\S.*?\.\w+)\((?<line>\d+),\d+\): error (?<message>.+?)(?: \[[^\]]*\])?$/,
]

/** Longer lines are skipped: they are slow to search, and no compiler error is that long. */
const maxLineCharacters = 2000

interface CompiledTests {
  readonly reports: readonly (readonly ToldTest[] | undefined)[]
  readonly noMatch: RegExp
}

/** Results from reports and from compiler errors in the output: after such errors some runners write no report. */
export function compiledResults(output: RunnerOutput, { reports, noMatch }: CompiledTests): RunnerResults {
  const printed = `${output.stdout}\n${output.stderr}`
  const broken = readCompileErrors(printed, output.root)
  const read = reports.filter((tests) => tests !== undefined)
  if (read.length > 0) return resultsOf([...read.flat(), ...broken])
  const { counts, failingTests } = resultsOf(broken)
  if (broken.length > 0) return { counts, failingTests }
  return output.exitCode === 0 || noMatch.test(printed) ? noTests : noResults
}

function readCompileErrors(text: string, root: string): readonly ToldTest[] {
  const found = new Map<string, ToldTest>()
  for (const told of linesOf(text)) {
    if (told.length > maxLineCharacters || !/^\s*(?:\/|\[ERROR\] \/|e: )/.test(told)) continue
    const groups = forms.map((form) => form.exec(told)?.groups).find((each) => each !== undefined)
    if (groups === undefined) continue
    const { line, message } = groups
    const file = relativeFile(groups['file'] ?? '', root)
    if (!found.has(file))
      found.set(file, { status: 'failed', name: file, file, line: Number(line), message, standsFor: 'any' })
  }
  return [...found.values()]
}
