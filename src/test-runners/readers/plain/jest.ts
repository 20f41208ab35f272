import { readComparison } from '../common/comparison.ts'
import { addCounts } from '../common/count-tests.ts'
import { messageOf } from '../common/message.ts'
import { lineInMessage, lineInStack } from '../common/place.ts'
import type { FailingTest } from '../../runner.ts'
import { countIn, type PlainReader } from './plain-reader.ts'

/** Jest's default reporter. */
export const readPlainJest: PlainReader = (text) => {
  const summaries = [...text.matchAll(/^Tests: +(.*\d+ total)$/gm)].map(([, told = '']) => told)
  if (summaries.length === 0) return undefined
  const failingTests = text.split(/^(?=(?:FAIL|PASS) )/m).flatMap(failuresOf)
  const broken = failingTests.filter(({ name, file }) => name === file).length
  const counts = summaries.map((told) => ({
    passed: countIn(told, 'passed'),
    failed: countIn(told, 'failed'),
    skipped: countIn(told, 'skipped') + countIn(told, 'todo'),
  }))
  return { counts: addCounts([...counts, { passed: 0, failed: broken, skipped: 0 }]), failingTests }
}

function failuresOf(section: string): readonly FailingTest[] {
  const file = /^FAIL (?:\S+ )?(\S+?)(?: \([\d.]+ m?s\))?$/m.exec(section)?.[1]?.replace(/^\.\//, '')
  if (file === undefined || !section.startsWith('FAIL ')) return []
  const failures = section.split(/^ {2}● /m).slice(1)
  return failures.filter((failure) => !/^Console$/m.test(failure)).map((failure) => failingTest(failure, file))
}

function failingTest(failure: string, file: string): FailingTest {
  const [heading = '', ...lines] = failure.split('\n')
  const body = lines.join('\n').split(/^Test Suites: /m, 1)[0] ?? ''
  const name = heading === 'Test suite failed to run' ? file : heading.replaceAll(' › ', ' > ')
  const message = messageOf(body.split(/^ +(?:> )?\d+ \|/m, 1)[0] ?? '')
  const line = (name === file ? lineInMessage(body, file) : undefined) ?? lineInStack(body, { file })
  return {
    name,
    file,
    ...(line !== undefined && { line }),
    message,
    ...readComparison(message),
  }
}
