import { stripVTControlCharacters } from 'node:util'
import { readFile, stat } from 'node:fs/promises'
import type { RunnerResults, TestCounts, FailingTest } from '../runner.ts'
import { relativeFile } from './place.ts'

/** The lines of a text, without an array of them all: an output may have millions. */
export function* linesOf(text: string): Generator<string, void> {
  let start = 0
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
    yield text.slice(start, end)
    start = end + 1
  }
  yield text.slice(start)
}

/** Enough to understand a failure; the raw log has the rest. */
const maxCharacters = 4000

/** The message of a failure: without colours, without frames of a JavaScript stack, and not endless. */
export function messageOf(text: string): string {
  const lines = stripVTControlCharacters(text.slice(0, 4 * maxCharacters)).split('\n')
  const firstFrame = lines.findIndex((line) => /^\s+at .*(?::\d+:\d+\)?|<anonymous>\)?)$/.test(line))
  const message = (firstFrame > 0 ? lines.slice(0, firstFrame) : lines).join('\n').trim()
  return message.length > maxCharacters ? `${message.slice(0, maxCharacters)}…` : message
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

/** Nobody reads more, and a program can print millions of lines that look like failures. */
export const maxFailures = 1000

/** More than any runner writes for some ten thousand tests. */
const maxBytes = 128 * 1024 * 1024

export async function readResultsFile(file: string): Promise<string | undefined> {
  try {
    const found = await stat(file)
    return found.isFile() && found.size <= maxBytes ? await readFile(file, 'utf8') : undefined
  } catch {
    // Missing or unreadable: the run came to no result.
    return undefined
  }
}

/** Value of a JSON text; `undefined` where it is none, such as the start of one. */
export function parseJson(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

export type TestStatus = 'passed' | 'failed' | 'skipped'

export const noResults: RunnerResults = { counts: null, failingTests: [] }

export function countTests(statuses: readonly TestStatus[]): TestCounts {
  const count = (status: TestStatus): number => statuses.filter((each) => each === status).length
  return { total: statuses.length, passed: count('passed'), failed: count('failed'), skipped: count('skipped') }
}

export function addCounts(all: readonly Omit<TestCounts, 'total'>[]): TestCounts {
  const sum = (key: 'passed' | 'failed' | 'skipped'): number => all.reduce((total, each) => total + each[key], 0)
  const [passed, failed, skipped] = [sum('passed'), sum('failed'), sum('skipped')]
  return { total: passed + failed + skipped, passed, failed, skipped }
}

export function addBroken(results: RunnerResults, broken: readonly FailingTest[]): RunnerResults {
  if (broken.length === 0) return results
  const { counts, failingTests } = results
  const outside = countTests(broken.map(() => 'failed'))
  return {
    ...results,
    counts: addCounts(counts ? [counts, outside] : [outside]),
    failingTests: [...failingTests, ...broken],
  }
}

/** How compilers name a place: javac (Gradle and Maven), kotlinc, csc. Each is for one line. */
const forms: readonly RegExp[] = [
  /^(?<file>\/\S.*?\.\w+):(?<line>\d+): error: (?<message>.+)$/,
  /^\[ERROR\] (?<file>\/\S.*?\.\w+):\[(?<line>\d+),\d+\] (?<message>.+)$/,
  /^e: (?:file:\/\/)?(?<file>\/\S.*?\.kts?):(?<line>\d+):\d+:? (?<message>.+)$/,
  /^\s*(?<file>\/\S.*?\.\w+)\((?<line>\d+),\d+\): error (?<message>.+?)(?: \[[^\]]*\])?$/,
]

/** Longer lines are no compiler's, and expensive to search. */
const maxLineCharacters = 2000

export function readCompileErrors(text: string, root?: string): readonly FailingTest[] {
  const found = new Map<string, FailingTest>()
  for (const told of linesOf(text)) {
    if (told.length > maxLineCharacters || !/^\s*(?:\/|\[ERROR\] \/|e: )/.test(told)) continue
    const groups = forms.map((form) => form.exec(told)?.groups).find((each) => each !== undefined)
    if (groups === undefined) continue
    const { file = '', line, message = '' } = groups
    const name = relativeFile(file, root)
    if (found.has(name)) continue
    found.set(name, { name, file: name, line: Number(line), message: messageOf(message), standsFor: 'any' })
  }
  return [...found.values()]
}
