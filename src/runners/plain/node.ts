import { readComparison } from '../comparison.ts'
import { addCounts } from '../count-tests.ts'
import { messageOf } from '../message.ts'
import type { FailingTest } from '../runner.ts'
import type { PlainReader } from './plain-reader.ts'

/** Node's own test runner, with its reporters `spec` and `tap`. */
export const readPlainNode: PlainReader = (text) => {
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
    .flatMap((section) => section.split(/^test at (?=\S)/m).slice(1))
    .flatMap((failure): FailingTest[] => {
      const [, file, line, name, body = ''] =
        /^(\S+?):(\d+):\d+\n✖ (.+?)(?: \([\d.]+ms\))?\n([\s\S]*)$/.exec(failure) ?? []
      return file === undefined || name === undefined ? [] : [failingTest({ name, file, line: Number(line), body })]
    })
}

function failuresOfTap(text: string): readonly FailingTest[] {
  const failures = text.matchAll(/^( *)not ok \d+ - (.+)\n\1 {2}---\n([\s\S]*?)^\1 {2}\.\.\.$/gm)
  return [...failures].flatMap(([, , name = '', body = '']): FailingTest[] => {
    if (/subtestsFailed/.test(body) || / # (?:TODO|SKIP)/.test(name)) return []
    const [, file, line] = /^ *location: '(.+):(\d+):\d+'$/m.exec(body) ?? []
    const error = /^ *error: \|-\n([\s\S]*?)^ *\w+: /m.exec(body)?.[1] ?? /^ *error: '?(.*?)'?$/m.exec(body)?.[1]
    const told = failingTest({ name, file, line: Number(line), body: error ?? '' })
    return [{ ...told, ...readComparison(body) }]
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
