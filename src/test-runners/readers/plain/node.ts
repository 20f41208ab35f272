import { readComparison } from '../common/comparison.ts'
import { addCounts } from '../common/count-tests.ts'
import { messageOf } from '../common/message.ts'
import type { FailingTest } from '../../runner.ts'
import { maxFailures, type PlainReader } from './plain-reader.ts'

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
    .flatMap((section) => section.split(/^test at (?=\S)/m, maxFailures).slice(1))
    .flatMap((failure): FailingTest[] => {
      const [, file, line, name, body = ''] =
        /^(\S.*?):(\d+):\d+\n✖ (.+?)(?: \([\d.]+ms\))?\n([\s\S]*)$/.exec(failure) ?? []
      return file === undefined || name === undefined ? [] : [failingTest({ name, file, line: Number(line), body })]
    })
}

function failuresOfTap(text: string): readonly FailingTest[] {
  const failures = text.split(/^ *not ok (?=\d+ - )/m, maxFailures).slice(1)
  return failures.flatMap((failure): FailingTest[] => {
    const name = /^\d+ - (.+)$/m.exec(failure)?.[1] ?? ''
    const body = failure.split(/^ *\.\.\.$/m, 1)[0] ?? ''
    if (body.includes('subtestsFailed') || / # (?:TODO|SKIP)/.test(name)) return []
    const [, , file, line] = /^ *location: (['"])(.+):(\d+):\d+\1$/m.exec(body) ?? []
    const block = body.split(/^ *error: \|-\n/m)[1]?.split(/^ *\w+: /m, 1)[0]
    const error = block ?? /^ *error: '?(.*?)'?$/m.exec(body)?.[1] ?? ''
    return [{ ...failingTest({ name, file, line: Number(line), body: error }), ...readComparison(body) }]
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
