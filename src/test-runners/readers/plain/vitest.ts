import { stripVTControlCharacters } from 'node:util'
import { readComparison } from '../common/comparison.ts'
import { addCounts } from '../common/count-tests.ts'
import { escapePattern } from '../../escape-pattern.ts'
import { linesOf } from '../common/lines.ts'
import { messageOf } from '../common/message.ts'
import type { FailingTest } from '../../runner.ts'
import { countIn, maxFailures, type PlainReader } from './plain-reader.ts'

/** What the default reporter tells of one failed test or file. */
interface FailureSection {
  /** `[|project| ]file > suite > test`. */
  readonly heading: string
  readonly body: string
}

/** Of one failure. */
const maxLines = 400

/** Vitest's reporter `default`. */
export const readPlainVitest: PlainReader = (text) => {
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
export function failureSections(text: string): readonly FailureSection[] {
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
